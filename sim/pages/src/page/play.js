
// ---- A table in play ----------------------------------------------------------------------------
// Extends `page.js`: asks the server for news, and sends what the person chooses. The server decides what is
// legal; this script knows no rules and no hidden tile.

const { play } = data;
const table = {
  // What the person must decide, with the legal actions. Null while others play.
  decision: null,
  clock: null,
  // Whether the page has asked the server to start the clock.
  isStarting: false,
  // Why the game cannot continue, and why there is no hint.
  failure: null,
  noHint: null,
  isKept: false,
  // Whether the server does not answer, and why it refused the last request.
  isLost: false,
  refusal: null,
  // Whether the page follows the game, or the person looks at an earlier moment.
  isFollowing: true,
  // The kind of riichi whose tile is to be chosen.
  declaring: null,
  // The advice on the decision with this number.
  hint: null,
  isAsking: false,
  isSending: false,
  // What the page does for the person in this hand: wins, passes calls, discards the drawn tile.
  autos: new Set(),
  // The tile that the first tap on a touch screen has lifted, by its place in the hand.
  lifted: null,
  // How often the person has undone a choice, and whether they can.
  undone: 0,
  canUndo: false,
  // What the server said last: undone choices, decisions made by the person, hands, steps of the last hand,
  // and whether the person must decide. The first number that differs tells which of two answers is older.
  known: [],
  // As texts: `known` with whether the game is kept and why it failed, and the place that the page shows.
  key: "",
  place: "",
  // Whether the page itself is changing the place, and not the person.
  isMoving: false,
  // Whether the page rings, and for what it has rung last.
  hasSound: false,
  rung: "",
};

// Milliseconds between two events.
const PACES = [0, 120, 350, 800];
// The kinds of actions in the order of their buttons.
const GROUPS = ["tsumo", "ron", "riichi", "open-riichi", "kan", "daiminkan", "pon", "chi", "kita", "kyuushu-kyuuhai", "keep-closed", "end-game", "pass"];
const LETTERS = {
  tsumo: "w", ron: "w", riichi: "r", "open-riichi": "r", kan: "k", daiminkan: "k", pon: "p", chi: "c", kita: "n",
  "kyuushu-kyuuhai": "y", "keep-closed": "z", "end-game": "e", pass: "x",
};

const wait = (time) => new Promise((done) => setTimeout(done, time));

// The answer of the server. Null if it refuses, undefined if it is lost: the table says why.
async function ask(what, body) {
  const headers = { "Content-Type": "application/json" };
  const options = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  try {
    const answer = await fetch(`${play.path}/${what}`, options);
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    // A server that ends, or has too many requests, answers later.
    if (answer.status === 503) throw new Error(text);
    table.refusal = answer.headers.has("X-Sentence") ? { key: answer.headers.get("X-Sentence") } : text.trim();
    return null;
  } catch {
    table.isLost = true;
    return undefined;
  }
}

// Sends what the person chose, again and again until a server answers.
async function send(what, body) {
  table.isSending = true;
  let news;
  do {
    drawPlay();
    if (table.isLost) await wait(500);
    news = await ask(what, body);
  } while (news === undefined);
  if (news !== null) take(news);
  table.isSending = false;
}

// ---- What happens -------------------------------------------------------------------------------

const lastHand = () => game.hands.length - 1;
const isAtEndOfHand = () => state.step === hand().steps.length;
const isNow = () => state.hand === lastHand() && isAtEndOfHand();
const canAct = () => isNow() && table.decision !== null && !table.isSending;

// Whether a list of numbers comes before another, by the first number that differs.
function isBefore(some, others) {
  const at = some.findIndex((number, index) => number !== others[index]);
  return at >= 0 && some[at] < others[at];
}

// Takes over the news of the server: the hands from `from` on, and what the person must decide.
function take(news) {
  const place = [news.undone, news.made, news.from + news.hands.length, news.hands.at(-1).steps.length, Number(news.decision !== null)];
  // Two answers may overtake each other.
  if (isBefore(place, table.known)) return;
  const key = [...place, news.kept, news.failure].join("|");
  if (key === table.key && !table.isLost && table.refusal === null) return takeClock(news.clock);
  if (place[2] !== table.known[2]) table.autos.clear();
  Object.assign(table, { known: place, key, undone: news.undone, canUndo: news.undo });
  game.hands.splice(news.from, Infinity, ...news.hands);
  [...frames.keys()].filter((number) => number >= news.from).forEach((number) => frames.delete(number));
  game.results = news.results;
  if (news.decision?.number !== table.decision?.number) Object.assign(table, { declaring: null, lifted: null, hint: null, noHint: null });
  Object.assign(table, { decision: news.decision, failure: news.failure, isKept: news.kept, isLost: false, refusal: null });
  takeClock(news.clock);
  showHint();
  move(() => go(state.hand, state.step));
  goOn();
}

// Draws a place that the person did not choose.
function move(make) {
  table.isMoving = true;
  make();
  table.isMoving = false;
}

let going = null;

// Advances, event by event, to the end of the hand.
function goOn() {
  if (going !== null || !table.isFollowing || isAtEndOfHand()) return;
  const pace = PACES[table.pace];
  going = setTimeout(() => {
    going = null;
    if (table.isFollowing && !isAtEndOfHand()) move(() => go(state.hand, pace === 0 ? Infinity : state.step + 1));
    goOn();
  }, pace);
}

function nextHand() {
  if (state.hand >= lastHand()) return;
  move(() => go(state.hand + 1, 0));
  table.isFollowing = true;
  goOn();
}

function backToGame() {
  move(() => go(lastHand(), Infinity));
  table.isFollowing = true;
}

async function follow() {
  while (!table.isKept) {
    // A server that is back answers at once to a page that knows nothing.
    const [hands, steps] = table.isLost ? [0, 0] : [game.hands.length, game.hands.at(-1).steps.length];
    const news = await ask(`state?hands=${hands}&steps=${steps}&undone=${table.undone}&decision=${table.decision?.number ?? "none"}`);
    if (news) {
      take(news);
      if (table.failure !== null) await wait(2000);
    } else {
      drawPlay();
      await wait(500);
    }
  }
}

// ---- Choices ------------------------------------------------------------------------------------

async function choose(action) {
  if (!canAct()) return;
  await send("act", { decision: table.decision.number, action: action.id });
  table.isFollowing = true;
  move(() => go(state.hand, state.step));
  goOn();
}

async function undo() {
  if (!canAct()) return;
  table.autos.clear();
  await send("undo", { decision: table.decision.number });
  backToGame();
}

const actions = () => (canAct() ? table.decision.actions : []);

const CALLS = ["chi", "pon", "daiminkan", "pass"];

// The action that a switch takes for the person. Undefined if they decide.
function autoAction() {
  const all = actions();
  const win = all.find(({ kind }) => kind === "tsumo" || kind === "ron");
  if (win) return table.autos.has("win") ? win : undefined;
  if (table.autos.has("calls") && all.every(({ kind }) => CALLS.includes(kind))) return all.find(({ kind }) => kind === "pass");
  return table.autos.has("discard") ? all.find(({ kind, drawn }) => kind === "discard" && drawn) : undefined;
}

function toggleAuto(name) {
  if (!table.autos.delete(name)) table.autos.add(name);
  drawPlay();
}

// The action that discards this tile of the hand, now or with the riichi that is being declared.
function discardOf(code, isDrawn) {
  const kind = table.declaring ?? "discard";
  return actions().find((action) => action.kind === kind && action.tiles[0] === code && action.drawn === isDrawn);
}

// The tiles of the hand from the left, the drawn one last.
function ownTiles() {
  const own = framesOf(state.hand)[state.step].seats[play.seat];
  const drawn = own.drawn ? [[own.drawn, true]] : [];
  return [...listed(own.hand).map((code) => [code, false]), ...drawn];
}

function chooseTile(place) {
  const [code, isDrawn] = ownTiles()[place] ?? [];
  const action = code && discardOf(code, isDrawn);
  if (action) choose(action);
}

// On a touch screen, the first tap lifts a tile, and the second one discards it.
function tapTile(place) {
  if (table.lifted === place || !matchMedia("(pointer: coarse)").matches) return chooseTile(place);
  table.lifted = place;
  drawPlay();
}

function declare(kind) {
  Object.assign(table, { declaring: table.declaring === kind ? null : kind, lifted: null });
  drawPlay();
}

async function askHint() {
  if (!canAct() || !play.hints || table.isAsking) return;
  const { number } = table.decision;
  Object.assign(table, { isAsking: true, noHint: null });
  drawPlay();
  const hint = await ask("hint", { decision: number });
  // Another window may have decided meanwhile.
  if (table.decision?.number === number) {
    table.noHint = hint?.failure ?? null;
    if (hint?.opinion) table.hint = { number, ...hint };
  }
  table.isAsking = false;
  showHint();
  move(() => go(state.hand, state.step));
}

// Puts the hint beside the event before the decision, where the page shows advice.
function showHint() {
  const { hint, decision } = table;
  if (hint === null || hint.number !== decision?.number) return;
  const step = game.hands.at(-1).steps.at(-1);
  const options = hint.opinion.options.filter(({ value, probability }) => (value ?? probability) !== undefined).slice(0, 8);
  const advice = [{ ...hint.opinion, options }];
  if (step) step.decisions = [{ number: hint.number, seat: play.seat, action: null, agent: hint.opinion.agent, advice }];
}

// ---- The clock ----------------------------------------------------------------------------------

function takeClock(clock) {
  table.clock = clock === null ? null : { ...clock, since: performance.now() };
}

// The time left in milliseconds. It runs once the page has shown the decision.
const timeLeft = () => table.clock.left - (table.clock.running ? performance.now() - table.clock.since : 0);

async function startClock() {
  if (table.clock === null || table.clock.running || !canAct() || table.isStarting || table.isLost) return;
  table.isStarting = true;
  const news = await ask("ready", { decision: table.decision.number });
  table.isStarting = false;
  if (news) take(news);
}

function drawClock() {
  const shown = table.clock !== null && canAct();
  at("clock").hidden = !shown;
  if (!shown) return;
  at("clock").textContent = phrase("seconds", { n: Math.max(0, Math.ceil(timeLeft() / 1000)) });
  at("clock").classList.toggle("short", timeLeft() < 5000);
}

// ---- The bar below the table --------------------------------------------------------------------

function buildBar() {
  const status = element("p", { id: "status", "aria-live": "polite" });
  const clock = element("span", { id: "clock", role: "timer" });
  const pace = element("select", { id: "pace" });
  const own = element("div", { id: "own", role: "group" });
  const acts = element("div", { id: "acts", role: "group" });
  const autos = element("div", { id: "autos", role: "group" }, ["win", "calls", "discard"].map((name) => button({ "data-auto": name }, () => toggleAuto(name))), button({ id: "sound" }, toggleSound));
  const bar = element("div", { id: "bar" }, element("div", { id: "line" }, status, clock, pace), own, acts, autos);
  at("board").after(bar);
  at("advice").after(element("section", { id: "hint", hidden: "", tabindex: 0 }));
  at("open").hidden = true;
  at("turn-table").hidden = true;
  ["o", "t", "n", "N", "f", "m", "M"].forEach((key) => delete KEYS[key]);
  places.forEach(({ plate }) => (plate.disabled = true));
  places[play.seat].row.addEventListener("click", (click) => {
    const picture = click.target.closest(".tile");
    const [tiles, drawn] = ["tiles", "drawn"].map((name) => places[play.seat].row.querySelector(`:scope > .${name}`));
    const place = picture ? [...tiles.children, ...(drawn?.children ?? [])].indexOf(picture) : -1;
    if (place >= 0) tapTile(place);
  });
  pace.addEventListener("change", () => {
    table.pace = Number(pace.value);
    keep("pace", pace.value);
  });
  table.pace = Number(kept("pace", Object.keys(PACES), "2"));
  table.hasSound = kept("sound", ["on", "off"], "off") === "on";
}

// What the last table kept under this name. A browser may keep nothing, or something else.
function kept(name, values, usual) {
  try {
    const found = localStorage.getItem(name);
    return values.includes(found) ? found : usual;
  } catch {
    return usual;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The setting still holds for this table.
  }
}

// ---- Sound --------------------------------------------------------------------------------------

// The tones of one's turn, of an offer and of a win, in hertz.
const TONES = { turn: [660], offer: [660, 880], win: [523, 659, 784] };
let audio = null;

// A browser makes no sound before a click or a key.
function ring(name) {
  if (!table.hasSound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  TONES[name].forEach((frequency, index) => {
    const start = audio.currentTime + 0.12 * index;
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0.15 });
    volume.gain.setTargetAtTime(0, start + 0.05, 0.06);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  });
}

function toggleSound() {
  table.hasSound = !table.hasSound;
  keep("sound", table.hasSound ? "on" : "off");
  ring("turn");
  drawPlay();
}

// Rings once for each decision of the person and for each win.
function ringForNews() {
  const isWin = table.isFollowing && isAtEndOfHand() && hand().result?.wins.length > 0;
  const news = canAct() ? `decision ${table.decision.number}` : isWin ? `win ${state.hand}` : table.rung;
  if (news === table.rung) return;
  table.rung = news;
  ring(isWin ? "win" : actions().some(({ kind }) => kind === "discard") ? "turn" : "offer");
}

function drawPace() {
  const names = word("paces");
  offer("pace", state.language, names.map((name, value) => [value, name]), table.pace);
  label(at("pace"), word("pace"));
}

function statusText() {
  if (table.failure !== null) return phrase("failed", { why: translated(table.failure) });
  if (table.isLost) return word("lost");
  if (table.refusal !== null) return phrase("refused", { why: translated(table.refusal) });
  if (table.noHint !== null) return phrase("no-hint", { why: translated(table.noHint) });
  if (table.isAsking) return phrase("thinking", { agent: play.hints });
  if (isNow() && game.results !== null) {
    const { placement, points: own, result } = game.results[play.seat];
    return phrase("over", { place: placement, points: points(own), result: signed(result) });
  }
  if (!canAct()) return isNow() ? word("waiting") : "";
  if (table.lifted !== null) return word("tap-again");
  if (table.declaring !== null) return word("choose-riichi");
  return word(actions().some(({ kind }) => kind === "discard") ? "your-turn" : "your-choice");
}

function drawOwn() {
  const now = ownTiles();
  const canDiscard = now.map(([code, isDrawn]) => Boolean(discardOf(code, isDrawn)));
  const key = [state.language, now.join(), canDiscard.join(), table.lifted, table.hint?.number ?? "", shownMeasure()].join("|");
  const shares = weights(play.seat);
  fill(at("own"), key, () =>
    now.map(([code, isDrawn], place) => {
      const made = button({ class: isDrawn ? "own drawn" : "own" }, () => tapTile(place), weigh(tile(code), shares.get(code)));
      made.disabled = !canDiscard[place];
      made.classList.toggle("lifted", table.lifted === place);
      return made;
    }),
  );
  at("own").classList.toggle("choosing", canDiscard.some(Boolean));
  const pictures = places[play.seat].row.querySelectorAll(":scope > .tiles > .tile, :scope > .drawn > .tile");
  pictures.forEach((picture, place) => {
    picture.classList.toggle("can", canDiscard[place] ?? false);
    picture.classList.toggle("lifted", table.lifted === place);
  });
}

// What a button that passes is called.
function passName() {
  const has = (kind) => actions().some((action) => action.kind === kind);
  if (has("keep-closed")) return "show";
  return has("end-game") ? "play-on" : "pass";
}

const actButton = (name, letter, pictures, act) =>
  button({ class: `act ${name}`, "data-letter": letter }, act, word("acts")[name] ?? word(name), ...pictures);

const link = (name, href) => element("a", { class: "act", href }, word(name));

function actButtons() {
  if (!isNow()) {
    const canGoOn = isAtEndOfHand() && table.isFollowing;
    const back = table.isFollowing ? [] : [actButton("back-to-game", "Enter", [], backToGame)];
    return canGoOn ? [actButton("go-on", "Enter", [], nextHand)] : back;
  }
  if (game.results !== null) {
    const links = table.isKept ? [link("review-link", `${play.path}/review`), link("log-link", `${play.path}/log`)] : [];
    return [...links, link("home-link", "/")];
  }
  const made = [];
  for (const kind of GROUPS) {
    const all = actions().filter((action) => action.kind === kind);
    if (all.length > 0 && kind.endsWith("riichi")) {
      const riichi = actButton(kind, LETTERS[kind], [], () => declare(kind));
      riichi.setAttribute("aria-pressed", table.declaring === kind);
      made.push(riichi);
      continue;
    }
    const name = kind === "pass" ? passName() : kind;
    made.push(...all.map((action) => actButton(name, LETTERS[kind], action.tiles.map((code) => tile(code)), () => choose(action))));
  }
  if (canAct() && table.canUndo) made.push(actButton("undo", "u", [], undo));
  if (canAct() && play.hints) made.push(actButton("hint", "h", [], askHint));
  return made;
}

function drawBar() {
  at("status").textContent = statusText();
  const numbers = [state.hand, state.step, lastHand(), table.decision?.number, table.isKept];
  const flags = [canAct(), table.canUndo, isNow(), table.isFollowing, table.declaring, game.results !== null];
  fill(at("acts"), [state.language, ...numbers, ...flags].join("|"), actButtons);
}

// The numbers of a hint: those of the candidates of `heuristic`, or what `residual` adds to them.
function hintRows(options) {
  const whole = (number) => ((number ?? null) === null ? "–" : points(Math.round(number)));
  const corrections = options.filter(({ correction }) => correction !== undefined);
  if (corrections.length > 0) {
    const rows = corrections.map((of) => cells([actionText(of.action), whole(of.base), signed(Math.round(of.correction)), whole(of.value)]));
    return [cells(word("correction-heads"), "th"), ...rows];
  }
  const plans = options.filter(({ win }) => win !== undefined);
  const rows = plans.map((of) =>
    cells([actionText(of.action), whole(of.value), whole(of.risk), `${(100 * of.win).toFixed(1)} %`, whole(of.points), String(of.plan_shanten), whole(of.plan_ukeire), term(of.mode)]),
  );
  return rows.length > 0 ? [cells(word("hint-heads"), "th"), ...rows] : [];
}

function drawHint() {
  const { hint, decision } = table;
  const opinion = hint?.number === decision?.number && isNow() ? hint?.opinion : undefined;
  const options = opinion?.options ?? [];
  const rows = hintRows(options);
  const decided = options.filter(({ taken }) => taken !== undefined);
  const verdicts = decided.map(({ action, taken, reason }) => element("p", {}, `${actionText(action)}: ${taken ? "✓" : "✗"} ${translated(reason)}`));
  const named = opinion && opinion.text !== opinion.agent ? [element("p", {}, ...advisorText({ name: opinion.agent, text: opinion.text }))] : [];
  const made = [...named, ...(rows.length > 0 ? [element("table", {}, rows)] : []), ...verdicts];
  at("hint").setAttribute("aria-label", word("hint"));
  at("hint").hidden = made.length === 0;
  at("hint").replaceChildren(...made);
}

function drawAutos() {
  at("autos").hidden = game.results !== null;
  at("sound").textContent = word("sound");
  at("sound").setAttribute("aria-pressed", table.hasSound);
  for (const target of at("autos").querySelectorAll("[data-auto]")) {
    target.textContent = word("autos")[target.dataset.auto];
    target.setAttribute("aria-pressed", table.autos.has(target.dataset.auto));
  }
}

function drawPlay() {
  const place = `${state.hand}.${state.step}`;
  if (!table.isMoving && place !== table.place) table.isFollowing = isNow();
  table.place = place;
  drawPace();
  drawOwn();
  drawBar();
  drawHint();
  drawClock();
  startClock();
  drawAutos();
  document.body.dataset.decision = canAct() ? table.decision.number : "";
  const action = table.declaring === null && table.isFollowing && autoAction();
  if (action) choose(action);
  else ringForNews();
}

// ---- Keys ---------------------------------------------------------------------------------------

// Presses the button with this letter, or goes from one to the next if there are several.
function pressLetter(letter) {
  const all = [...at("acts").querySelectorAll(`[data-letter="${letter}"]`)];
  if (all.length === 0) return false;
  if (all.length === 1) all[0].click();
  else all[(all.indexOf(document.activeElement) + 1) % all.length].focus();
  return true;
}

// Discards the drawn tile, with the riichi that is being declared, or passes.
function chooseUsual() {
  const wanted = table.declaring ?? "discard";
  const usual = actions().find(({ kind, drawn }) => kind === wanted && drawn) ?? actions().find(({ kind }) => kind === "pass");
  if (usual) choose(usual);
}

function pressKey(key) {
  const digit = /^Digit(\d)$/.exec(key.code)?.[1];
  if (digit !== undefined) return chooseTile((key.shiftKey ? 10 : 0) + (Number(digit) + 9) % 10);
  if (key.key === " ") return chooseUsual();
  if (key.key === "Escape" && table.declaring !== null) return declare(table.declaring);
  return key.key.length === 1 || key.key === "Enter" ? pressLetter(key.key) : false;
}

function listenToPlay() {
  document.addEventListener("keydown", (key) => {
    const isButton = ["BUTTON", "A"].includes(key.target.tagName) && [" ", "Enter"].includes(key.key);
    if (isIgnored(key) || isButton || key.repeat) return;
    if (pressKey(key) !== false) key.preventDefault();
  });
  moreKeys.push(["1 … 0, Shift 1 … 4", ["act-keys"]], ["Space", ["act-drawn"]], ["w r k p c n y z e x", ["act-letters"]], ["Esc", ["act-not"]], ["Enter", ["act-on"]]);
  moreKeys.push(["u", ["undo"]]);
  if (play.hints) moreKeys.push(["h", ["hint"]]);
  setInterval(drawClock, 200);
}

buildBar();
listenToPlay();
afterDraw = drawPlay;
isLive = () => table.isFollowing;
if (isAddressed) go(state.hand, state.step);
else move(() => go(lastHand(), Infinity));
take(play.news);
follow();
