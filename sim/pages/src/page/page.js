"use strict";
// Draws the game in the block `data`. Everything that needs rules is in the data: a hand is the
// table after the deal and a list of steps, each with an event and the values of the table that it
// changes.

const data = JSON.parse(document.getElementById("data").textContent);
const { game, opening } = data;
const at = (id) => document.getElementById(id);
const state = {
  hand: 0,
  step: 0,
  seat: opening.seat,
  closed: opening.closed || game.names.length === 0,
  // The agent whose advice is shown, by its place in `advisors`, and what its bars measure.
  advisor: 0,
  measure: "value",
  // The points from which another choice counts as a difference. 0 for any other choice.
  threshold: 500,
  // Whether answers are hidden until the reader tries an action, and what they tried last.
  isFinding: false,
  tried: null,
  language: Object.keys(WORDS).find((tag) => navigator.language.startsWith(tag)) ?? "en",
};

// ---- Words --------------------------------------------------------------------------------------

const word = (name) => WORDS[state.language][name];
const term = (name) => WORDS[state.language].terms[name] ?? name.replaceAll("-", " ");

// A sentence of the page. `places` makes texts or elements for the names in braces.
function sentence(name, places) {
  return word(name).split(/[{}]/).map((part, index) => (index % 2 === 0 ? part : places[part]()));
}

// A text with texts for the names in braces.
const filled = (text, places) => text.replace(/\{(\w+)\}/g, (_, part) => places[part]);
const phrase = (name, places) => filled(word(name), places);
// A phrase that has forms for one and for several.
const counted = (name, n, places = {}) => filled(word(name)[n === 1 ? 0 : 1], { n, ...places });
const points = (number) => number.toLocaleString("en");
const signed = (number) => (number > 0 ? "+" : "") + points(number);

function equipped(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.flat());
  return made;
}

const element = (name, attributes = {}, ...children) => equipped(document.createElement(name), attributes, children);

function button(attributes, act, ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

// Names an element for screen readers, and in its tooltip.
function label(target, name, title = name) {
  target.setAttribute("aria-label", name);
  target.title = title;
}

// A text of the data. Its direction does not change that of the text around it.
const bdi = (text) => element("bdi", {}, text);

// ---- Tiles --------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const drawing = (name, attributes, ...children) => equipped(document.createElementNS(SVG, name), attributes, children);

function tileName(code) {
  if (code === "xx") return word("hidden");
  const rank = Number(code[0]);
  if (code[1] === "z") return word("honours")[rank - 1];
  return phrase("tile", { red: rank === 0 ? word("red") : "", rank: word("ranks")[(rank || 5) - 1], suit: word("suits")[code[1]] });
}

// A picture of a tile. `marks` are classes: sideways, tsumogiri, claimed, last.
function tile(code, marks = [], words = []) {
  const isSideways = marks.includes("sideways");
  const name = [tileName(code), ...words].join(", ");
  const viewBox = isSideways ? "0 0 32 24" : "0 0 24 32";
  const use = drawing("use", { href: `#${code}`, width: 24, height: 32 });
  const veil = drawing("rect", { class: "veil", width: 24, height: 32, rx: 3 });
  const place = drawing("g", isSideways ? { transform: "translate(0 24) rotate(-90)" } : {}, use, veil);
  const attributes = { viewBox, class: ["tile", ...marks].join(" "), role: "img", "aria-label": name };
  return drawing("svg", attributes, drawing("title", {}, name), place);
}

// Fills a tile from below by a share from 0 to 1.
function weigh(picture, share) {
  if (share === undefined) return picture;
  const height = 31 * Math.max(0.02, share);
  picture.append(drawing("rect", { class: `bar ${shownMeasure()}`, x: 0.5, y: 31.5 - height, width: 23, height }));
  return picture;
}

const listed = (text) => (text === "" ? [] : text.split(" "));
const tiles = (text) => listed(text).map((code) => tile(code));

// A meld: `-` marks a tile on its side, `=` one above the tile before it.
function meld(text) {
  const made = element("span", { class: "meld" });
  for (const code of listed(text)) {
    const name = code.slice(0, 2);
    if (code.endsWith("=")) {
      const below = made.lastChild;
      const stack = element("span", { class: "stack" }, tile(name, ["sideways"], [word("sideways")]));
      below.replaceWith(stack);
      stack.append(below);
    } else {
      made.append(code.endsWith("-") ? tile(name, ["sideways"], [word("sideways")]) : tile(name));
    }
  }
  return made;
}

// The width of a meld in tiles.
const meldWidth = (text) =>
  listed(text).reduce((sum, code) => sum + (code.endsWith("=") ? 0 : code.endsWith("-") ? 4 / 3 : 1), 0.25);

// A discard with its marks: r riichi, * tsumogiri, ' claimed.
function discard(text, isLast) {
  const has = (mark) => text.includes(mark, 2);
  const found = [
    [has("r"), "sideways", "riichi-mark"],
    [has("*"), "tsumogiri", "tsumogiri-mark"],
    [has("'"), "claimed", "claimed"],
    [isLast, "last", null],
  ].filter(([holds]) => holds);
  const words = found.filter(([, , name]) => name).map(([, , name]) => word(name));
  return tile(text.slice(0, 2), found.map(([, mark]) => mark), words);
}

// ---- Frames -------------------------------------------------------------------------------------

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function merged(value, changes) {
  const result = { ...value };
  for (const [name, change] of Object.entries(changes)) {
    result[name] = isObject(change) ? merged(value[name], change) : change;
  }
  return result;
}

const frames = new Map();

// The table after the deal and after each step of a hand.
function framesOf(number) {
  if (!frames.has(number)) {
    const all = [game.hands[number].start];
    for (const step of game.hands[number].steps) all.push(merged(all.at(-1), step.changes));
    frames.set(number, all);
  }
  return frames.get(number);
}

const seats = [...Array(game.players).keys()];
const hand = () => game.hands[state.hand];
// The last event; null after the deal.
const event = () => hand().steps[state.step - 1] ?? null;
const windOf = (seat, of = hand()) => "ESWN"[(seat - of.dealer + game.players) % game.players];
const nameOf = (seat) => game.names[seat] ?? "";
const isEnd = () => ["hand-end", "game-end"].includes(event()?.event);

// The decisions after this event of players whose tiles the reader sees.
const decisionsHere = () => (event()?.decisions ?? []).filter(({ seat }) => isShown(seat));
// Of decisions, that of the player at the bottom, or else the first. Null if there is none.
const ownFirst = (all) => all.find(({ seat }) => seat === state.seat) ?? all[0] ?? null;

// A player in a sentence.
function who(seat) {
  return element("span", { class: "who" }, word("winds")[windOf(seat)] + " ", bdi(nameOf(seat)));
}

const plainWho = (seat, of = hand()) => `${word("winds")[windOf(seat, of)]} ${nameOf(seat)}`.trim();

function handName(of) {
  const { wind, number, honba } = of;
  return phrase("hand", { round: word("rounds")[wind], number: word("numbers")[number], honba });
}

// Where a seat sits, in quarters of a turn to the right of the bottom.
function quarter(seat) {
  const steps = (seat - state.seat + game.players) % game.players;
  if (game.players === 2) return 2 * steps;
  return game.players === 3 && steps === 2 ? 3 : steps;
}

// ---- The table ----------------------------------------------------------------------------------

// Replaces the content of an element with what `make` returns, unless the element already has the content that
// `key` stands for.
function fill(target, key, make) {
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  target.replaceChildren(...make());
}

const places = [];

function buildTable() {
  const centre = element("div", { id: "centre" });
  at("field").append(centre);
  for (const seat of seats) {
    const [row, river, stick] = ["row", "river", "stick"].map((name) => element("div", { class: name, role: "group" }));
    const side = element("div", { class: "side", role: "group" }, stick, river, row);
    const plate = button({ class: "plate" }, () => show({ seat }));
    at("field").append(side, plate);
    places.push({ side, row, river, stick, plate });
  }
}

// The number of discards in a row of a river, and the width of the table in tiles: more if melds need room
// above them. Both hold for a whole hand, so that the table never moves.
function tableSize() {
  const last = framesOf(state.hand).at(-1);
  const rivers = seats.map((seat) => listed(last.seats[seat].river).length);
  const longest = Math.max(...rivers);
  const isTall = longest > 18 && seats.some((seat) => last.seats[seat].melds.some((text) => text.includes("=")));
  return { columns: Math.max(6, Math.ceil(longest / 4)), size: isTall ? 21.4 : 20 };
}

function isShown(seat) {
  return !state.closed || seat === state.seat || (isEnd() && (hand().result?.open ?? []).includes(seat));
}

function drawTable() {
  const frame = framesOf(state.hand)[state.step];
  const { columns, size } = tableSize();
  const field = at("field");
  field.style.setProperty("--size", size);
  field.style.setProperty("--columns", columns);
  field.className = `players-${game.players}`;
  at("board").setAttribute("aria-label", word("table"));
  drawCentre(frame);
  for (const seat of seats) drawSide(seat, frame, size, columns);
}

function drawCentre(frame) {
  const key = [state.language, handName(hand()), frame.live, frame.sticks, frame.indicators].join("|");
  fill(at("centre"), key, () => [
    element("strong", {}, handName(hand())),
    element("span", {}, phrase("live", { n: frame.live })),
    element("span", {}, counted("sticks", frame.sticks)),
    element("span", { class: "tiles", role: "group", "aria-label": word("indicators") }, tiles(frame.indicators)),
  ]);
}

function drawSide(seat, frame, size, columns) {
  const { side, row, river, stick, plate } = places[seat];
  const shown = frame.seats[seat];
  const language = state.language;
  side.style.setProperty("--quarter", quarter(seat));
  side.setAttribute("aria-label", plainWho(seat));
  stick.hidden = !shown.riichi;
  const isLast = event()?.event === "discard" && event().seat === seat;
  fill(river, [language, shown.river, isLast, columns].join("|"), () => {
    const all = listed(shown.river);
    const rows = [];
    all.forEach((text, index) => {
      if (index % columns === 0) rows.push(element("div"));
      rows.at(-1).append(discard(text, isLast && index === all.length - 1));
    });
    return rows;
  });
  river.setAttribute("aria-label", word("river"));
  drawRow(row, shown, isShown(seat), size, weights(seat));
  drawPlate(plate, seat, shown, frame.turn === seat);
}

function drawRow(row, shown, isOpen, size, shares) {
  const inHand = listed(shown.hand);
  const hidden = (text) => (isOpen ? text : text.replace(/\S+/g, "xx"));
  const width =
    inHand.length +
    (shown.drawn ? 4 / 3 : 0) +
    shown.melds.reduce((sum, text) => sum + meldWidth(text), 0) +
    (shown.norths ? shown.norths + 0.25 : 0);
  const room = size - 2.9;
  const scale = Math.min(1, room / width);
  row.style.setProperty("--scale", scale);
  row.style.setProperty("--indent", Math.max(0, Math.min(1.4, (room - width * scale) / 2)) / scale);
  const weighed = (text) => listed(hidden(text)).map((code) => weigh(tile(code), shares.get(code)));
  const key = [state.language, shownMeasure(), isOpen, shown.hand, shown.drawn, shown.melds, shown.norths, [...shares].join()];
  fill(row, key.join("|"), () => {
    const made = [element("span", { class: "tiles" }, weighed(shown.hand))];
    if (shown.drawn) made.push(element("span", { class: "drawn" }, weighed(shown.drawn)));
    const called = shown.melds.map(meld).reverse();
    if (shown.norths) called.push(element("span", { class: "meld" }, tiles(Array(shown.norths).fill("4z").join(" "))));
    return [...made, element("span", { class: "melds" }, called)];
  });
}

function drawPlate(plate, seat, shown, isTurn) {
  plate.style.setProperty("--quarter", quarter(seat));
  plate.className = `plate at-${quarter(seat)}${isTurn ? " turn" : ""}`;
  const isOpen = isShown(seat) && shown.shanten !== null;
  const { score, dead, shanten, waits: waiting, furiten } = shown;
  const key = [state.language, windOf(seat), score, dead, isOpen, shanten, waiting, furiten];
  plate.title = `${nameOf(seat)}: ${word("seat-help")}`;
  fill(plate, key.join("|"), () => {
    const made = [
      element("span", { class: "name" }, element("b", {}, word("winds")[windOf(seat)]), " ", bdi(nameOf(seat))),
      element("span", { class: "score" }, points(shown.score)),
    ];
    if (isOpen || dead) made.push(element("span", { class: "shanten" }, shantenText(shown)));
    if (isOpen && shown.waits && !dead) made.push(waits(listed(shown.waits)));
    return made;
  });
}

function shantenText(shown) {
  if (shown.dead) return word("dead");
  if (shown.shanten < 0) return word("complete");
  if (shown.shanten > 0 && !shown.waits) return phrase("shanten", { n: shown.shanten });
  return word(shown.furiten ? "furiten" : "tenpai");
}

// Waits such as `3m:2`: the tile, and the copies that its player does not see. Many waits are drawn small.
function waits(all) {
  const made = element("span", { class: "waits" });
  made.style.fontSize = `${[1, 1, 1, 0.8].at(all.length) ?? (all.length <= 8 ? 0.6 : 0.4)}em`;
  for (const text of all) {
    const [code, left] = text.split(":");
    const number = all.length <= 8 ? [element("small", { "aria-hidden": true }, left)] : [];
    made.append(element("span", { class: "wait" }, tile(code, [], [`×${left}`]), number));
  }
  return made;
}

// ---- Captions and results -----------------------------------------------------------------------

function caption() {
  const shown = event();
  if (shown === null) return [word(game.names.length === 0 ? "position" : "deal")];
  if (shown.event === "hand-end") return ending();
  return sentence(sentenceOf(shown), {
    who: () => who(shown.seat),
    from: () => who(shown.from),
    tile: () => tile(canSee(shown) ? shown.tile : "xx"),
    call: () => word("calls")[shown.call],
  });
}

// How the hand ended, as text.
function ending() {
  const { wins, draw } = hand().result;
  if (draw) return sentence("draw-end", { reason: () => term(draw.reason) });
  return wins.flatMap((of, index) => [index > 0 ? "; " : "", ...winning(of)]);
}

const winning = (of) =>
  sentence(of.from === null ? "tsumo" : "ron", {
    who: () => who(of.winner),
    from: () => who(of.from),
    tile: () => tile(of.tile),
  });

// Whether the reader sees the tile of an event.
const canSee = (shown) => shown.tile && (shown.event !== "draw" || isShown(shown.seat));

function sentenceOf(shown) {
  if (shown.event === "draw" && shown.replacement) return "replacement";
  if (shown.event === "discard" && shown.riichi) return "riichi";
  if (shown.event === "discard" && shown.tsumogiri) return "tsumogiri";
  return shown.event;
}

function drawCaption() {
  const line = element("p", {}, caption());
  const chosen = isAsked() ? [] : decisionsHere().filter(({ action }) => action);
  const decisions = chosen.map(({ number, seat, action }) => `#${number} ${plainWho(seat)}: ${actionText(action)}`);
  at("caption").replaceChildren(line, element("p", { class: "decisions" }, decisions.join("; ")));
}

function cells(values, name = "td", attributes = {}) {
  return element("tr", attributes, values.map((value) => element(value === "" ? "td" : name, {}, value)));
}

function drawResult() {
  const target = at("result");
  target.hidden = !isEnd() || !hand().result;
  if (target.hidden) return;
  const { wins, draw, deltas } = hand().result;
  target.replaceChildren(...wins.map(win), ...(draw ? [endOfDraw(draw)] : []), changes(deltas));
}

// A hand without a winner: the reason, and who was tenpai.
function endOfDraw(draw) {
  const texts = seats.map((seat) => `${plainWho(seat)}: ${word(draw.tenpai.includes(seat) ? "tenpai" : "noten")}`);
  const tenpai = draw.abortive ? [] : element("p", {}, texts.join(" · "));
  return element("div", { class: "win" }, element("h2", {}, ending()), tenpai, sayOf("nagashi", draw.nagashi), sayOf("fouls", draw.fouls));
}

const yakumanText = (n) => (n > 1 ? phrase("n-yakuman", { n }) : word("yakuman"));

function win(of) {
  const side = framesOf(state.hand).at(-1).seats[of.winner];
  const winningTile = element("span", { class: "drawn" }, tile(of.tile, ["last"]));
  const frame = framesOf(state.hand)[state.step];
  const ura = of.ura_indicators ? [" ", word("ura"), " ", ...tiles(of.ura_indicators)] : [];
  const worth = ({ han, yakuman }) => (yakuman === 0 ? phrase("han", { n: han }) : yakumanText(yakuman));
  const parts = of.fu_parts.flatMap(({ reason, tile: kind, fu }, index) => [
    index > 0 ? ", " : `${word("fu")}: `,
    term(reason),
    ...(kind ? [" ", tile(kind)] : []),
    ` ${fu}`,
  ]);
  return element(
    "div",
    { class: "win" },
    element("h2", {}, winning(of)),
    element("div", { class: "winning-hand" }, tiles(side.hand), winningTile, side.melds.map(meld).reverse()),
    element("p", { class: "indicators" }, word("indicators"), " ", tiles(frame.indicators), ura),
    element("table", { class: "yaku" }, of.yaku.map((yaku) => cells([term(yaku.name), worth(yaku)]))),
    parts.length > 0 ? element("p", { class: "fu" }, parts) : [],
    element("p", { class: "value" }, valueText(of)),
    sayOf("liable", of.liable),
  );
}

// A paragraph about some players. Nothing if there are none.
const sayOf = (name, of) => (of.length > 0 ? element("p", {}, phrase(name, { who: of.map(plainWho).join(", ") })) : []);

function valueText(of) {
  const limit = of.limit && of.yakuman === 0 ? `, ${term(of.limit)}` : "";
  const han = phrase(of.fu ? "value" : "value-han", of) + limit;
  const value = of.yakuman === 0 ? han : yakumanText(of.yakuman);
  return `${value}: ${phrase("points", { n: points(of.points) })}`;
}

function changes(deltas) {
  const last = framesOf(state.hand)[state.step];
  const rows = seats.map((seat) => cells([who(seat), signed(deltas[seat]), points(last.seats[seat].score)]));
  return element("table", { class: "changes" }, cells(["", word("change"), word("after")], "th"), rows);
}

// ---- Advice -------------------------------------------------------------------------------------

// The agents whose advice the decisions have.
const advisors = game.advisors ?? [];

// The decision after this event that agents give advice on. Null if there is none.
const advised = () => ownFirst(decisionsHere().filter(({ advice }) => advice));

// What the chosen agent thinks of a decision. Null if it leaves the decision out.
const opinion = (decision) => decision?.advice?.[state.advisor] ?? null;

const whole = (number) => points(Math.round(number));

// What bars can show of an option: its text, and how full the bar is, from 0 to 1. The bar of the best value
// is full, and that of a value 4,000 points lower is empty. A risk of 4,000 points fills its bar.
const MEASURES = {
  value: { text: whole, weight: (value, all) => Math.max(0, 1 - (Math.max(...all) - value) / 4000) },
  probability: { text: (share) => `${(100 * share).toFixed(1)} %`, weight: (share, all) => share / Math.max(...all) },
  risk: { text: whole, weight: (risk) => Math.min(1, Math.max(0, risk / 4000)) },
};

// The measures that an agent reports of a decision.
const measuresOf = (advice) => Object.keys(MEASURES).filter((name) => advice?.options.some((option) => option[name] !== undefined));

// What the bars of an advice show: the chosen measure, if the agent reports it.
const measureOf = (advice) => [state.measure, ...measuresOf(advice)].find((name) => measuresOf(advice).includes(name));

// What the bars in the tiles show.
const shownMeasure = () => measureOf(opinion(advised())) ?? "";

// How full the bar of an option is. Undefined if its agent does not report the measure.
function weight(option, { options }, name) {
  const all = options.map((one) => one[name]).filter((number) => number !== undefined);
  return option?.[name] === undefined ? undefined : MEASURES[name].weight(option[name], all);
}

// The tile that an option discards.
const discarded = ({ action }) => /(?:discard|tsumogiri) (\d[mpsz])$/.exec(action)?.[1];

// The weights of the tiles that a player could discard. Of two ways to discard a tile, the better one counts:
// options come best first, and the last entry of a Map stays.
function weights(seat) {
  const decision = advised();
  const advice = opinion(decision);
  if (decision?.seat !== seat || advice === null || isAsked()) return new Map();
  const weighed = advice.options.map((option) => [discarded(option), weight(option, advice, measureOf(advice))]);
  return new Map(weighed.filter(([code, share]) => code && share !== undefined).toReversed());
}

// The tiles at the end of the text of an action.
const TILES = /(?:\d+[mpsz])+$/;

// An action of the program, such as `riichi discard 5s`, in the words of the language. English has
// the texts of the program.
function actionText(text) {
  const actions = word("actions");
  const [, declare, name, codes = ""] = /^((?:open )?riichi )?([a-z ]+?)(?: ((?:\d+[mpsz])+))?$/.exec(text) ?? [];
  if (actions[name] === undefined) return text;
  const names = codes.replace(/(\d+)([mpsz])/g, (_, ranks, suit) => [...ranks].map((rank) => tileName(rank + suit)).join(""));
  return (declare ? actions[declare.trim()] : "") + actions[name].replace("{tiles}", names);
}

// A sentence of the program, or a value of one: the template of its key with its values, a number, or a text. A text is
// an action or English.
function translated(said) {
  if (!isObject(said)) return typeof said === "number" ? points(said) : actionText(said.replaceAll("`", ""));
  const template = [word("sentences")[said.key]].flat().at(Math.abs(said.n) === 1 ? 0 : -1);
  return template.replace(/\{(\w+):?([\w-]*)\}/g, (_, name, key) => translated(key ? { key, n: said[name] } : said[name]));
}

// A paragraph with a sentence of the program.
const told = (said) => element("p", isObject(said) ? {} : { lang: "en" }, bdi(translated(said)));

// Whether the reader must find the better move before the page shows an answer.
function isAsked() {
  const decision = advised();
  return state.isFinding && decision?.seat === state.seat && opinion(decision) !== null && state.tried?.number !== decision.number;
}

// The legal actions of a decision, sorted by tile, so that their order does not show what agents think.
function legalOf({ advice, legal = [] }) {
  const key = (text) => text.replace(/(\d+)([mpsz])$/, "$2$1");
  const all = new Set([...legal, ...advice.flatMap((of) => of?.options.map(({ action }) => action) ?? [])]);
  return [...all].sort((one, other) => key(one).localeCompare(key(other)));
}

// A button that tries an action: its words and its tiles.
function attempt(number, text) {
  const [codes = ""] = TILES.exec(text) ?? [];
  const pictures = [...codes.matchAll(/(\d+)([mpsz])/g)].flatMap(([, ranks, suit]) => [...ranks].map((rank) => tile(rank + suit)));
  const made = button({ class: "attempt" }, () => show({ tried: { number, text } }), actionText(text.replace(TILES, "").trim()), ...pictures);
  label(made, actionText(text));
  return made;
}

// What the action that the reader tried loses against the answer of the agent.
function answer(decision, advice) {
  const { number, text } = state.tried ?? {};
  if (!state.isFinding || number !== decision.number) return [];
  const best = advice.action || decision.action;
  const valueOf = (action) => advice.options.find((option) => option.action === action)?.value;
  const cost = text === best ? 0 : Math.max(0, valueOf(best) - valueOf(text));
  const named = { action: actionText(text), best: actionText(best), n: Number.isNaN(cost) ? word("unknown") : phrase("points", { n: whole(cost) }) };
  return [element("p", { class: "answer" }, phrase("tried", named))];
}

function drawAdvice() {
  const decision = advised();
  at("advice").hidden = decision === null;
  if (decision === null) return;
  const advice = opinion(decision);
  if (isAsked()) {
    at("advisor-name").textContent = word("find");
    at("measure").hidden = true;
    at("opinion").replaceChildren(element("div", { class: "attempts" }, legalOf(decision).map((text) => attempt(decision.number, text))));
    return;
  }
  at("advisor-name").textContent = decision.agent ?? advisors[state.advisor].name;
  drawMeasures(advice);
  const scale = measureOf(advice) ? [element("p", { class: "scale" }, word("scales")[measureOf(advice)])] : [];
  const said = advice ? [...answer(decision, advice), ...thoughts(decision, advice)] : [played(decision)];
  at("opinion").replaceChildren(...said, options(decision), ...scale);
}

// The options of a list to choose from, each a value and a text. Hides the list if there is nothing to choose.
function offer(id, key, options, chosen) {
  fill(at(id), key, () => options.map(([value, text]) => element("option", { value }, text)));
  at(id).value = chosen;
  at(id).hidden = options.length < 2;
}

function drawMeasures(advice) {
  const names = measuresOf(advice);
  offer("measure", [state.language, ...names].join("|"), names.map((name) => [name, word("measures")[name]]), measureOf(advice));
}

const played = ({ number, seat, action }) => element("p", {}, `#${number} `, who(seat), `: ${actionText(action)}`);

function costText({ cost, cost_error: error }) {
  return (cost ?? null) === null ? "" : whole(cost) + (error ? ` ± ${whole(error)}` : "");
}

// A grade of the chosen agent, and what other agents say about a mistake.
function graded({ grade, others = [], search }) {
  const one = ({ agent, action, ...costs }) => filled(word("other"), { agent, action: actionText(action), cost: costText(costs) || word("unknown") });
  const all = search ? [...others, search] : others;
  return [
    ...(grade ? [element("p", {}, word("grades")[grade])] : []),
    ...all.map((other) => element("p", {}, one(other))),
    ...(search?.reason ? [told(search.reason)] : []),
  ];
}

// What the choice and the better action risk against each opponent, and why they are safe.
function dangersOf({ action }, advice) {
  const against = ({ seat, risk, safety = "none" }) => phrase("danger", { who: word("winds")[windOf(seat)], n: whole(risk), why: word("safeties")[safety] });
  const shown = advice.options.filter((of) => of.dangers && [action, advice.action].includes(of.action));
  return shown.map((of) => element("p", {}, `${actionText(of.action)}: ${of.dangers.map(against).join(", ")}`));
}

// What the hand waits for after the better action, and instead after that of the player.
function waitsOf({ action }, advice) {
  const waitsAfter = (name) => advice.options.find((of) => of.action === name)?.waits ?? [];
  const best = waitsAfter(advice.action || action);
  const own = waitsAfter(action);
  const shown = (waits) => ({ tiles: () => element("span", {}, waits.map(({ tile: code }) => tile(code))), n: () => waits.reduce((sum, { left }) => sum + left, 0) });
  if (best.length === 0) return [];
  const isOther = own.length > 0 && JSON.stringify(own) !== JSON.stringify(best);
  const instead = isOther ? sentence("instead", shown(own)) : [];
  return [element("p", {}, sentence("waits", shown(best)), instead)];
}

// The chances of each place after the hand.
function placesOf({ places: found }) {
  if (!found) return [];
  const percent = (chances) => chances.map((chance) => Math.round(100 * chance)).join(" · ");
  return [element("p", {}, phrase("places", { win: percent(found.win), draw: percent(found.draw) }))];
}

// What the chosen agent thinks: the better action, why, and the cost.
function thoughts(decision, advice) {
  const { action } = decision;
  const better = phrase("better", { action: actionText(advice.action) });
  const isBetter = action && advice.action && advice.action !== action;
  const cost = costText(advice);
  return [
    action ? played(decision) : element("p", {}, actionText(advice.action)),
    ...(isBetter ? [element("p", { class: advice.grade === "mistake" ? "mistake" : "" }, better)] : []),
    ...(advice.reason ? [told(advice.reason)] : []),
    ...(cost ? [element("p", {}, phrase("cost", { n: cost }))] : []),
    ...(advice.cost_before ? [element("p", {}, phrase("cost-before", { n: whole(advice.cost_before) }))] : []),
    ...graded(advice),
    ...waitsOf(decision, advice),
    ...placesOf(advice),
    ...dangersOf(decision, advice),
  ];
}

// The options of a decision: a column for each agent, and the bars of the chosen one.
function options({ action, advice: all }) {
  const own = all[state.advisor];
  // Values and probabilities both say how good an option is; a risk stands beside no other measure.
  const columnOf = (advice) => (measureOf(own) === "risk" ? "risk" : measureOf(advice));
  const ofAgent = (advice, name) => advice?.options.find((option) => option.action === name);
  const isListed = (option, rank) => rank < 8 || option.action === action;
  const listOf = (advice) => [...(advice?.options ?? []).filter(isListed).map((option) => option.action), ...(all.length > 1 && advice?.action ? [advice.action] : [])];
  const rows = [...new Set([own, ...all].flatMap(listOf))].map((name) => {
    const share = own ? weight(ofAgent(own, name), own, measureOf(own)) : undefined;
    const bar = share === undefined ? "" : element("meter", { min: 0, max: 1, value: share, "aria-hidden": true });
    const numbers = all.map((advice) => {
      const measure = columnOf(advice);
      const number = ofAgent(advice, name)?.[measure];
      const text = number === undefined ? "" : MEASURES[measure].text(number);
      return all.length > 1 && advice?.action === name ? `✓ ${text}` : text;
    });
    return cells([actionText(name), ...numbers, bar], "td", { class: name === action ? "chosen" : "" });
  });
  if (all.length === 1) return element("table", {}, rows);
  const names = advisors.map((advisor, index) => element("bdi", { class: "long", title: advisor.name }, labelOf(advisor, index)));
  const costs = all.map((advice) => (advice ? costText(advice) : ""));
  const foot = cells([word("points-lost"), ...costs, ""], "td", { class: "foot" });
  const table = element("table", { class: "agents" }, cells(["", ...names, ""], "th"), rows, costs.some(Boolean) ? foot : []);
  return element("div", { class: "wide" }, table);
}

// The name of an agent. Long names may be cut, so they begin with a number.
const labelOf = ({ name }, index) => (name.length > 20 ? `[${index + 1}] ${name}` : name);

// The decisions with advice of each agent, with their places.
const reviewed = advisors.map((_, agent) =>
  game.hands.flatMap((of, number) =>
    of.steps.flatMap((step, index) =>
      (step.decisions ?? [])
        .map(({ advice, seat }) => [advice?.[agent], seat])
        .filter(([advice]) => advice)
        .map(([{ cost, grade }, seat]) => ({ seat, hand: number, step: index + 1, cost: Math.max(0, cost ?? 0), grade })),
    ),
  ),
);

// The decisions that a reader looks for. An unknown cost counts as 0.
const WANTED = {
  mistake: ({ grade }) => grade === "mistake",
  difference: ({ grade, cost }) => grade !== "best" && cost >= state.threshold,
};

// The decisions of the player at the bottom that the chosen agent has advice on.
const costs = () => (reviewed[state.advisor] ?? []).filter(({ seat }) => seat === state.seat);

// The sums of the decisions of the player at the bottom. Undefined if the agent judges none.
const sums = () => game.sums?.[state.advisor]?.[state.seat];
const lostBy = ({ lost }) => (lost === null ? "–" : whole(lost));

// The points from which another choice can count as a difference.
const THRESHOLDS = [0, 100, 250, 500, 1000, 2000, 4000];

function drawStrip() {
  at("review").hidden = at("differing").hidden = advisors.length === 0;
  document.documentElement.style.setProperty("--rest", advisors.length > 0 ? "17.5rem" : "11.5rem");
  if (advisors.length === 0) return;
  offer("advisor", "", advisors.map((advisor, index) => [index, labelOf(advisor, index)]), state.advisor);
  const all = costs();
  const most = Math.max(2000, ...all.map(({ cost }) => cost));
  fill(at("strip"), [state.seat, state.advisor, state.threshold, state.language].join("|"), () =>
    all.map((of, index) => {
      const title = `${handName(game.hands[of.hand])}: ${whole(of.cost)}`;
      const marks = Object.keys(WANTED).filter((name) => WANTED[name](of));
      const bar = element("span", { class: marks.join(" "), title });
      bar.style.setProperty("--cost", of.cost / most);
      bar.classList.toggle("new-hand", index > 0 && all[index - 1].hand !== of.hand);
      bar.addEventListener("click", () => go(of.hand, of.step));
      return bar;
    }),
  );
  [...at("strip").children].forEach((bar, index) => bar.classList.toggle("now", all[index].hand === state.hand && all[index].step === state.step));
  const limits = THRESHOLDS.map((limit) => [limit, limit === 0 ? word("any-other") : phrase("from", { n: points(limit) })]);
  offer("threshold", state.language, limits, state.threshold);
  at("find").setAttribute("aria-pressed", state.isFinding);
  const { length } = all.filter(WANTED.difference);
  at("scale").textContent = `${counted("differences", length)}. ${phrase("scale", { n: whole(most) })}`;
  label(at("strip"), counted("review", sums()?.all.mistakes ?? 0, { points: whole(sums()?.all.lost ?? 0) }));
}

// What the player at the bottom lost by the estimates of the chosen agent, by kind of decision and by
// hand, and the points of each hand.
function drawSummary() {
  const found = sums();
  at("summary").hidden = (found?.all.lost ?? null) === null;
  if (at("summary").hidden) return;
  fill(at("summary"), [state.seat, state.advisor, state.language].join("|"), () => [
    element("h2", {}, `${word("summary")}: `, who(state.seat)),
    element("p", {}, ...advisorText(advisors[state.advisor])),
    element("p", {}, phrase("rating", { percent: Math.round(100 * found.all.agreement), n: whole(found.all.lost_each) })),
    element("p", {}, gradeCounts(found.all).join(", ")),
    element("table", {}, cells(["", word("decisions"), word("mistakes"), word("points-lost")], "th"), kindRows(found)),
    element("table", {}, cells(["", word("mistakes"), word("points-lost"), word("change")], "th"), handRows(found)),
  ]);
}

// The grades of a sum with their numbers. The loss of some undecided decisions is unknown.
function gradeCounts(sum) {
  const { agreed: best, fine, inaccuracies: inaccuracy, mistakes: mistake, disputed, undecided, unknown } = sum;
  const counts = Object.entries({ best, fine, inaccuracy, mistake, disputed, undecided }).filter(([, n]) => n > 0);
  return [...counts.map(([name, n]) => `${word("grades")[name]}: ${n}`), ...(unknown ? [counted("unknown-costs", unknown)] : [])];
}

// An agent, and its options if its user gave it a name.
function advisorText({ name, text }) {
  const isNamed = name !== text && !name.startsWith(`${text} #`);
  return [bdi(name), ...(isNamed ? [" = ", bdi(text)] : [])];
}

function kindRows({ all, kinds }) {
  const row = (name, sum) => cells([name, String(sum.compared), String(sum.mistakes), lostBy(sum)]);
  const nameOf = new Map(word("kinds"));
  return [...kinds.map((sum) => row(nameOf.get(sum.kind), sum)), row(word("total"), all)];
}

function handRows({ all, hands }) {
  const row = (name, sum, won) => cells([name, String(sum.mistakes), lostBy(sum), won === undefined ? "" : signed(won)]);
  const won = game.hands.map((of) => of.result?.changes[state.seat]);
  const rows = game.hands.map((of, number) => row(handName(of), hands[number], won[number]));
  return [...rows, row(word("total"), all, won.reduce((sum, number) => sum + (number ?? 0), 0))];
}

// Goes to the next mistake or difference in this direction, or says that there is none.
function goToWanted(direction, name) {
  const place = ({ hand: number, step }) => number * 10000 + step;
  const now = place(state);
  const all = costs().filter(WANTED[name]);
  const found = (direction > 0 ? all : all.toReversed()).find((of) => direction * (place(of) - now) > 0);
  if (found) go(found.hand, found.step);
  else at("said").textContent = word("none-left")[name][all.length > 0 ? 1 : 0];
}

// ---- Lists --------------------------------------------------------------------------------------

// How a hand ended: a text for each win, or one for the draw.
function endTexts(of) {
  if (of.result === null) return [];
  const { wins, draw } = of.result;
  if (draw) return [term(draw.reason)];
  const wind = (seat) => word("winds")[windOf(seat, of)];
  return wins.map(({ winner, from, points: paid }) => `${wind(winner)} ${from === null ? "←" : `← ${wind(from)}`} ${points(paid)}`);
}

// Who gained and lost points in a hand, those who gained most first.
function gains(of) {
  const changes = of.result?.changes ?? [];
  const changed = seats.filter((seat) => changes[seat]).sort((one, other) => changes[other] - changes[one]);
  return element("small", {}, changed.map((seat) => `${plainWho(seat, of)} ${signed(changes[seat])}`).join(" · "));
}

function drawLists() {
  const list = at("hand-list");
  const ended = game.hands.filter((of) => of.result !== null).length;
  const key = [state.language, game.hands.length, ended, game.results !== null].join("|");
  fill(list, key, () =>
    game.hands.map((of, number) =>
      element("li", {}, button({}, () => go(number, 0), element("b", {}, handName(of)), " ", endTexts(of).join(", "), gains(of))),
    ),
  );
  [...list.children].forEach((item, number) => item.firstChild.toggleAttribute("aria-current", number === state.hand));
  fill(at("player-table"), key, () => {
    const results = game.results;
    const head = [word(results ? "place" : "seat"), word("players"), ...(results ? [word("after"), word("result")] : [])];
    const row = (seat) => {
      const of = results?.[seat];
      const name = element("bdi", { class: "long" }, nameOf(seat));
      return cells(of ? [String(of.placement), name, points(of.points), signed(of.result)] : [String(seat), name]);
    };
    const order = results ? seats.toSorted((one, other) => results[one].placement - results[other].placement) : seats;
    return [element("table", {}, cells(head, "th"), order.map(row))];
  });
  // At the end of a game, the table of places comes first.
  at("players").classList.toggle("first", event()?.event === "game-end");
  at("players").hidden = game.names.length === 0;
  fill(at("notes"), state.language, () => (game.notes.length ? [element("h2", {}, word("notes")), ...game.notes.map(told)] : []));
}

// What a script that extends the page adds: rows of the list of keys, and what follows each
// drawing.
const moreKeys = [];
let afterDraw = () => {};

function drawHelp() {
  const keys = [
    ["← →", ["event-back", "event-on"]],
    ["↑ ↓", ["turn-back", "turn-on"]],
    ["PageUp PageDown", ["hand-back", "hand-on"]],
    ["Home End", ["first-last"]],
    ...(advisors.length > 0 ? [["m M", ["mistake-on", "mistake-back"]], ["n N", ["difference-on", "difference-back"]], ["f", ["find-help"]]] : []),
    ...(advisors.length > 1 ? [["a", ["advisor"]]] : []),
    ...(advisors.length > 0 || data.play?.hints ? [["b", ["measure"]]] : []),
    ["o", ["open-help"]],
    ["t", ["turn-help"]],
    ["d", ["theme"]],
    ["l", ["language"]],
    ["?", ["help"]],
    ...moreKeys,
  ];
  const rows = keys.map(([key, names]) => cells([element("kbd", {}, key), names.map((name) => word(name)).join(" / ")]));
  const close = button({}, () => at("help").close(), word("close"));
  const wheel = element("p", {}, word("wheel-help"));
  at("help").replaceChildren(element("h2", { id: "help-name" }, word("help")), element("table", {}, rows), wheel, close);
}

function drawWords() {
  const key = `${state.language}|${state.closed}`;
  if (document.body.dataset.words === key) return;
  document.body.dataset.words = key;
  document.documentElement.lang = state.language;
  at("source").replaceChildren(bdi(game.source), game.rules ? element("small", {}, ` ${game.rules}`) : "");
  document.querySelectorAll("[data-word]").forEach((target) => (target.textContent = word(target.dataset.word)));
  at("open").textContent = word(state.closed ? "open" : "closed");
  document.querySelectorAll("[data-label]").forEach((target) => label(target, word(target.dataset.label)));
  document.querySelectorAll("[data-title]").forEach((target) => (target.title = word(target.dataset.title)));
  document.querySelectorAll("[data-move]").forEach((target) => {
    const name = word(target.dataset.move);
    label(target, name, `${name} (${target.dataset.key})`);
  });
  at("language").value = state.language;
}

// ---- Moves --------------------------------------------------------------------------------------

function draw() {
  drawWords();
  drawTable();
  drawCaption();
  drawResult();
  drawAdvice();
  drawStrip();
  drawSummary();
  drawLists();
  const place = at("place");
  place.max = hand().steps.length;
  place.value = state.step;
  place.setAttribute("aria-valuetext", `${handName(hand())}, ${state.step} / ${hand().steps.length}`);
  at("said").textContent = "";
  afterDraw();
  keepAddress();
  document.body.dataset.ready = `${state.hand}.${state.step}`;
}

function go(number, step) {
  state.hand = Math.max(0, Math.min(number, game.hands.length - 1));
  state.step = Math.max(0, Math.min(step, hand().steps.length));
  draw();
}

// Changes what the page shows: the seat at the bottom, the language, or the advice.
function show(values) {
  Object.assign(state, values);
  draw();
}

// The steps after which it is the turn of the player at the bottom.
const turns = () => {
  const begins = (step) => ["draw", "call"].includes(step.event) && step.seat === state.seat;
  return hand().steps.flatMap((step, index) => (begins(step) ? [index + 1] : []));
};

// Goes to a step of the hand, or on to the next or previous hand from its end or start.
const forward = (step) => (state.step < hand().steps.length ? go(state.hand, step ?? Infinity) : next());
const backward = (step) => (state.step > 0 ? go(state.hand, step ?? 0) : previous());

const MOVES = {
  "event-on": () => forward(state.step + 1),
  "event-back": () => backward(state.step - 1),
  "turn-on": () => forward(turns().find((step) => step > state.step)),
  "turn-back": () => backward(turns().findLast((step) => step < state.step)),
  "hand-on": () => go(state.hand + 1, state.hand + 1 < game.hands.length ? 0 : Infinity),
  "hand-back": () => go(state.hand - (state.step === 0 ? 1 : 0), 0),
  "mistake-on": () => goToWanted(1, "mistake"),
  "mistake-back": () => goToWanted(-1, "mistake"),
  "difference-on": () => goToWanted(1, "difference"),
  "difference-back": () => goToWanted(-1, "difference"),
  first: () => go(state.hand, 0),
  last: () => go(state.hand, Infinity),
};

const next = () => state.hand + 1 < game.hands.length && go(state.hand + 1, 0);
const previous = () => state.hand > 0 && go(state.hand - 1, Infinity);

const ACTIONS = {
  open: () => show({ closed: !state.closed }),
  "turn-table": () => show({ seat: (state.seat + 1) % game.players }),
  theme: () => {
    const page = document.documentElement.dataset;
    const now = page.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    page.theme = now === "dark" ? "light" : "dark";
  },
  advisor: () => advisors.length > 1 && show({ advisor: (state.advisor + 1) % advisors.length }),
  measure: () => {
    const advice = opinion(advised());
    const names = measuresOf(advice);
    if (names.length > 1) show({ measure: names[(names.indexOf(measureOf(advice)) + 1) % names.length] });
  },
  find: () => advisors.length > 0 && show({ isFinding: !state.isFinding, tried: null }),
  language: () => {
    const tags = Object.keys(WORDS);
    show({ language: tags[(tags.indexOf(state.language) + 1) % tags.length] });
  },
  help: () => {
    drawHelp();
    at("help").showModal();
  },
};

const KEYS = {
  ArrowRight: MOVES["event-on"], ArrowLeft: MOVES["event-back"], ArrowDown: MOVES["turn-on"], ArrowUp: MOVES["turn-back"],
  PageDown: MOVES["hand-on"], PageUp: MOVES["hand-back"], Home: MOVES.first, End: MOVES.last,
  o: ACTIONS.open, t: ACTIONS["turn-table"], d: ACTIONS.theme, l: ACTIONS.language, "?": ACTIONS.help,
  m: MOVES["mistake-on"], M: MOVES["mistake-back"], n: MOVES["difference-on"], N: MOVES["difference-back"], f: ACTIONS.find, a: ACTIONS.advisor, b: ACTIONS.measure,
};

// The elements in which keys write text or choose an option.
const TYPED = "select, textarea";

// Whether the page ignores a key.
const isIgnored = (key) => key.ctrlKey || key.altKey || key.metaKey || at("help").open || key.target.matches(TYPED);

function listen() {
  document.addEventListener("keydown", (key) => {
    const move = KEYS[key.key];
    if (!move || isIgnored(key)) return;
    key.preventDefault();
    move();
  });
  let turned = 0;
  at("board").addEventListener("wheel", (wheel) => {
    if (wheel.ctrlKey) return;
    wheel.preventDefault();
    // With Shift, some systems turn the wheel sideways.
    const distance = wheel.deltaY || wheel.deltaX;
    turned = Math.sign(turned) === Math.sign(distance) ? turned + distance : distance;
    if (Math.abs(turned) < 30 && wheel.deltaMode === 0) return;
    MOVES[(wheel.shiftKey ? "turn-" : "event-") + (turned > 0 ? "on" : "back")]();
    turned = 0;
  }, { passive: false });
  document.querySelectorAll("[data-move]").forEach((target) => target.addEventListener("click", MOVES[target.dataset.move]));
  document.querySelectorAll("[data-act]").forEach((target) => target.addEventListener("click", ACTIONS[target.dataset.act]));
  at("place").addEventListener("input", () => go(state.hand, Number(at("place").value)));
  at("language").append(...Object.entries(WORDS).map(([tag, { name }]) => element("option", { value: tag, lang: tag }, name)));
  at("language").addEventListener("change", () => show({ language: at("language").value }));
  at("advisor").addEventListener("change", () => show({ advisor: Number(at("advisor").value) }));
  at("measure").addEventListener("change", () => show({ measure: at("measure").value }));
  at("threshold").addEventListener("change", () => show({ threshold: Number(at("threshold").value) }));
  addEventListener("hashchange", openAddress);
  addEventListener("pagehide", writeAddress);
}

// ---- The address --------------------------------------------------------------------------------

// Whether the page shows what happens now, which has no address.
let isLive = () => false;

// The place as the end of an address: a decision, or a hand and an event of it, from 0, and the seat at the bottom.
function address() {
  if (isLive()) return "";
  const decision = data.play ? null : ownFirst(decisionsHere());
  const place = decision ? `decision=${decision.number}` : `hand=${state.hand}&event=${state.step}`;
  return `#${place}${state.seat === opening.seat ? "" : `&seat=${state.seat}`}`;
}

const writeAddress = () => history.replaceState(null, "", location.pathname + location.search + address());

let keeping = null;

// Writes the address once the reader rests: browsers allow few changes in a second.
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(writeAddress, 200);
}

// The hand and the step of a decision. Undefined if no step has it.
function placeOf(decision) {
  const isHere = (step) => step.decisions?.some(({ number }) => number === decision);
  const found = game.hands.map(({ steps }, number) => [number, steps.findIndex(isHere) + 1]);
  return found.find(([, step]) => step > 0);
}

// Goes to the place that the address names. Returns whether it names one.
function openAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [decision, number, step, seat] = ["decision", "hand", "event", "seat"].map((name) => (given.has(name) ? Number(given.get(name)) : NaN));
  const place = placeOf(decision) ?? (Number.isInteger(number) ? [number, step || 0] : null);
  if (place === null) return false;
  if (seats.includes(seat)) state.seat = seat;
  go(...place);
  return true;
}

buildTable();
listen();
const isAddressed = openAddress();
if (!isAddressed) go(...(placeOf(opening.decision) ?? [opening.hand, 0]));
