
// ---- Study --------------------------------------------------------------------------------------
// Goes on with `page.js`: positions as text, and branches: what else one could have done, with a
// comment. They are kept in the page itself, which the reader saves. This script knows no rules: a
// branch is a text, and a server plays on.

const study = {
  // Each with a hand, a step, the number of the decision, its player, an action and a comment.
  branches: data.study ?? [],
  isSaved: true,
};

// The decision at this place: that of the player at the bottom, if there is one.
function decisionHere() {
  const all = (event()?.decisions ?? []).filter(({ seat, action }) => action && isShown(seat));
  return all.find(({ seat }) => seat === state.seat) ?? all[0] ?? null;
}

// ---- Positions as text --------------------------------------------------------------------------

// Tiles as in `345m6p`.
const joined = (tiles) => tiles.join("").replace(/([mpsz])(?=\d\1)/g, "");

function meldText(meld) {
  const tiles = listed(meld);
  if (tiles.includes("xx")) {
    const known = tiles.filter((code) => code !== "xx");
    const plain = known.find((code) => code[0] !== "0") ?? known[0].replace("0", "5");
    const reds = known.filter((code) => code[0] === "0");
    return `<${joined([...reds, ...Array(4 - reds.length).fill(plain)])}>`;
  }
  const isTurned = (code) => /[-=]/.test(code);
  // A chi claims from the left, also where the only opponent sits opposite.
  const isChi = new Set(tiles.map((code) => code[0].replace("0", "5"))).size > 1;
  const laid = isChi ? [...tiles.filter(isTurned), ...tiles.filter((code) => !isTurned(code))] : tiles;
  const ranks = laid.map((code) => code[0] + (isTurned(code) ? "'" : ""));
  return `[${ranks.join("")}${tiles[0][1]}]`;
}

// The discards of a player in order, and between them the kans and Norths that they declared.
function riverText(seat) {
  const discards = listed(framesOf(state.hand)[state.step].seats[seat].river);
  const made = [];
  for (const step of hand().steps.slice(0, state.step).filter((step) => step.seat === seat)) {
    if (step.event === "discard") made.push(discards.shift());
    if (step.event === "kita") made.push("<kita>");
    if (["ankan", "kakan"].includes(step.event)) made.push(`<${step.tile.replace("0", "5")}>`);
  }
  return made.join(" ");
}

// The rules of logs that have those of no preset, by the number of players: `jantaku ask` names the same.
const USUAL_RULES = { 2: "duo", 3: "tenhou-sanma", 4: "tenhou" };

// The position of a decision as a file for `jantaku ask`, with the tiles that its player sees.
function positionText({ seat }) {
  const frame = framesOf(state.hand)[state.step];
  const winds = ["east", "south", "west", "north"];
  const wind = (of) => winds[(of - hand().dealer + game.players) % game.players];
  const text = (name, value) => (value === "" ? [] : [`${name} = "${value}"`]);
  const side = (of) => {
    const { score, melds, norths, hand: held, drawn } = frame.seats[of];
    const own = joined(listed(held)) + (drawn ? `+${drawn}` : "");
    return [
      "",
      `[${wind(of)}]`,
      `score = ${score}`,
      ...text("river", riverText(of)),
      ...text("melds", melds.map(meldText).join(" ")),
      ...(norths > 0 ? [`kita = ${norths}`] : []),
      ...(of === seat ? text("hand", own) : []),
    ];
  };
  return [
    `rules = ${JSON.stringify(game.rules || USUAL_RULES[game.players])}`,
    `round = "${hand().wind}${hand().number}"`,
    `honba = ${hand().honba}`,
    `sticks = ${hand().start.sticks}`,
    `indicators = "${joined(listed(frame.indicators))}"`,
    `seat = "${wind(seat)}"`,
    ...seats.map((step) => side((hand().dealer + step) % game.players)).flat(),
    "",
  ].join("\n");
}

async function copyPosition() {
  const decision = decisionHere();
  if (decision === null) return;
  at("position").hidden = false;
  at("position").value = positionText(decision);
  at("position").select();
  try {
    await navigator.clipboard.writeText(at("position").value);
  } catch {
    // The text is selected: the reader copies it.
  }
}

// ---- Branches -----------------------------------------------------------------------------------

// Actions to choose from: those that an agent compares, or the discards of the hand.
function suggestions(decision) {
  const advice = opinion(decision) ?? decision.advice?.find(Boolean);
  if (advice) return advice.options.map(({ action }) => action);
  const own = framesOf(state.hand)[state.step].seats[decision.seat];
  const tiles = [...listed(own.hand), ...listed(own.drawn)];
  return tiles.length % 3 === 2 ? [...new Set(tiles)].map((code) => `discard ${code}`) : ["pass", "chi", "pon", "kan", "ron"];
}

function addBranch() {
  const decision = decisionHere();
  const [action, comment] = ["branch", "comment"].map((id) => at(id).value.trim());
  if (action === "" && comment === "") return;
  const { hand: number, step } = state;
  study.branches.push({ hand: number, step, number: decision?.number ?? null, seat: decision?.seat ?? null, action, comment });
  study.branches.sort((a, b) => a.hand - b.hand || a.step - b.step);
  ["branch", "comment"].forEach((id) => (at(id).value = ""));
  changeBranches();
}

function changeBranches() {
  study.isSaved = false;
  study.key = null;
  draw();
}

// A text of the reader, or of whoever sent the page: marks that reorder text become their code points.
function readable(text) {
  const number = (mark) => mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return text.replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (mark) => `[U+${number(mark)}]`);
}

function branchRow(branch) {
  const { hand: number, step, seat, action, comment } = branch;
  const place = [handName(game.hands[number]), branch.number === null ? "" : `#${branch.number}`, seat === null ? "" : nameOf(seat)];
  const text = [place.filter(Boolean).join(" "), actionText(action)].filter(Boolean).join(": ");
  const open = element("button", { type: "button", class: "branch" }, element("b", {}, bdi(readable(text))), " ", bdi(readable(comment)));
  open.addEventListener("click", () => go(number, step));
  const remove = element("button", { type: "button", class: "remove", "aria-label": word("remove"), title: word("remove") }, "×");
  remove.addEventListener("click", () => {
    study.branches.splice(study.branches.indexOf(branch), 1);
    changeBranches();
  });
  return element("li", {}, open, remove);
}

// The page with its branches, as a file.
function savePage() {
  const page = pristine.cloneNode(true);
  const text = JSON.stringify({ ...data, study: study.branches });
  page.querySelector("#data").textContent = text.replaceAll("<", "\\u003c");
  const file = new Blob([`<!doctype html>\n${page.outerHTML}\n`], { type: "text/html" });
  const link = element("a", { href: URL.createObjectURL(file), download: "study.html" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  study.isSaved = true;
}

// ---- The section --------------------------------------------------------------------------------

function buildStudy() {
  const button = (id, act) => {
    const made = element("button", { id, type: "button", class: "wide" });
    made.addEventListener("click", act);
    return made;
  };
  const playOn = data.play_on ? [element("a", { id: "play-on", class: "wide" })] : [];
  at("hands").after(
    element(
      "section",
      { id: "study" },
      element("h2", { "data-word": "study" }),
      element("div", { class: "acts" }, button("copy-position", copyPosition), playOn),
      element("textarea", { id: "position", rows: 6, readonly: "", hidden: "", spellcheck: "false" }),
      element("input", { id: "branch", list: "actions", maxlength: 200, autocomplete: "off" }),
      element("datalist", { id: "actions" }),
      element("textarea", { id: "comment", rows: 2, maxlength: 5000 }),
      element("div", { class: "acts" }, button("add-branch", addBranch), button("save-page", savePage)),
      element("ol", { id: "branches" }),
    ),
  );
  addEventListener("beforeunload", (leave) => study.isSaved || leave.preventDefault());
}

// The number of the first decision from this place on. Null after the last one. A position is a decision.
function nextDecision() {
  if (game.hands.every(({ steps }) => steps.length === 0)) return 0;
  const steps = game.hands.flatMap((of, number) => (number < state.hand ? [] : of.steps.slice(number === state.hand ? Math.max(0, state.step - 1) : 0)));
  const numbers = steps.flatMap((step) => (step.decisions ?? []).map(({ number }) => number));
  return numbers[0] ?? null;
}

function drawStudy() {
  const decision = decisionHere();
  at("copy-position").disabled = decision === null;
  at("copy-position").title = decision === null ? word("no-decision") : "";
  const place = `${state.hand}.${state.step}`;
  if (study.place !== place) at("position").hidden = true;
  study.place = place;
  const next = data.play_on ? nextDecision() : null;
  if (data.play_on) {
    at("play-on").hidden = next === null;
    at("play-on").href = `${data.play_on}/${next}`;
  }
  fill(at("actions"), `${place}|${decision?.number}`, () => (decision ? suggestions(decision) : []).map((value) => element("option", { value })));
  if (study.key === state.language) return;
  study.key = state.language;
  const names = { "copy-position": "copy-position", "add-branch": "add-branch", "save-page": "save-page", "play-on": "play-on" };
  for (const [id, name] of Object.entries(names)) if (at(id)) at(id).textContent = word(name);
  for (const [id, name] of Object.entries({ branch: "branch", comment: "comment", position: "copy-position" })) {
    at(id).placeholder = word(name);
    at(id).setAttribute("aria-label", word(name));
  }
  at("branches").replaceChildren(...study.branches.map(branchRow));
  at("save-page").hidden = study.branches.length === 0;
}

buildStudy();
afterDraw = drawStudy;
document.body.dataset.words = "";
draw();
