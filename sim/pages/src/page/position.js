
// ---- Copying a position, and playing on ---------------------------------------------------------
// Extends `page.js` by the section that copies the position shown, and plays on from it.

// The decision at this place. Null if there is none.
const decisionHere = () => ownFirst(decisionsHere().filter(({ action }) => action));

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

// The preset named for a log whose rules are no preset, by the number of players. `jantaku ask` names the
// same one.
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

// The number of the first decision from this place on. Null after the last one. A position has one decision: 0.
function nextDecision() {
  if (game.hands.every(({ steps }) => steps.length === 0)) return 0;
  const steps = game.hands.flatMap((of, number) => (number < state.hand ? [] : of.steps.slice(number === state.hand ? Math.max(0, state.step - 1) : 0)));
  const numbers = steps.flatMap((step) => (step.decisions ?? []).map(({ number }) => number));
  return numbers[0] ?? null;
}

function drawPosition() {
  const decision = decisionHere();
  at("copy-position").disabled = decision === null;
  at("copy-position").title = decision === null ? word("no-decision") : "";
  // `ready` still names the place that was drawn before: another place has another position.
  if (document.body.dataset.ready !== `${state.hand}.${state.step}`) at("position").hidden = true;
  // A saved page has no server.
  if (!data.play_on || location.protocol === "file:") return;
  const next = nextDecision();
  at("play-on").hidden = next === null;
  at("play-on").href = `${data.play_on}/${next}`;
}

at("copying").hidden = false;
at("copy-position").addEventListener("click", copyPosition);
afterDraw = drawPosition;
drawPosition();
