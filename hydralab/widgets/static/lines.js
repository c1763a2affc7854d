// Lines of several runs: tokens over turns, and evidence against the budget.

const LINES = { height: 110, top: 8, bottom: 20, left: 46, right: 10 };
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];
const WIDE_RANGE = 20;

function strokeOf({ colour, line }) {
  return { stroke: colour, "stroke-dasharray": DASHES[line % DASHES.length] };
}

function swatch(run) {
  return svg("svg", { class: "hl-swatch", viewBox: "0 0 22 8", width: 22, height: 8, "aria-hidden": "true" }, svg("path", { d: "M0,4h22", ...strokeOf(run), "stroke-width": 3, fill: "none" }));
}

// A click, or a drag, picks a turn.
function makeLines({ onpick, onlayout }) {
  const root = svg("svg", { class: "hl-lines", role: "img", height: LINES.top + LINES.height + LINES.bottom });
  const layers = Object.fromEntries(["axis", "paths", "cursor"].map((name) => [name, svg("g", { class: `hl-${name}` })]));
  root.append(...Object.values(layers));
  const tip = h("div", { class: "hl-tip", hidden: true });
  const el = h("div", { class: "hl-curve-frame" }, root, tip);
  let [runs, turns, width, cursor, shown] = [[], 0, 0, 0, new Set()];

  const inner = () => Math.max(width - LINES.left - LINES.right, 1);
  const x = (turn) => LINES.left + ((turn + 0.5) / Math.max(turns, 1)) * inner();

  function scale() {
    const tops = runs.map(({ tokens }) => Math.max(1, ...tokens.slice(0, 20_000)));
    const [top, least] = [Math.max(1, ...tops), Math.min(...tops)];
    if (top <= WIDE_RANGE * least) return { ticks: [0, Math.round(top / 2), top], y: (value) => LINES.top + LINES.height * (1 - value / top) };
    const low = Math.log(Math.max(1, Math.min(...runs.flatMap(({ tokens }) => tokens))));
    const y = (value) => LINES.top + LINES.height * (1 - (Math.log(Math.max(value, 1)) - low) / (Math.log(top) - low || 1));
    return { ticks: [Math.round(Math.exp(low)), Math.round(Math.exp((low + Math.log(top)) / 2)), top], y };
  }

  function redraw() {
    if (!width || !runs.length) return;
    root.setAttribute("width", width);
    root.setAttribute("aria-label", `tokens of the prompts over ${turns} turns: ${runs.map(({ run, most_tokens: most }) => `${run} at most ${most ?? 0}`).join(", ")}`);
    const { ticks, y } = scale();
    layers.axis.replaceChildren(
      ...ticks.flatMap((value) => [
        svg("line", { x1: LINES.left, x2: width - LINES.right, y1: y(value), y2: y(value) }),
        svg("text", { x: LINES.left - 6, y: y(value) + 4, "text-anchor": "end" }, whole(value)),
      ]),
      svg("text", { x: LINES.left + inner() / 2, y: LINES.top + LINES.height + 15, "text-anchor": "middle" }, "tokens in the prompt"),
      ...[0, turns - 1].map((turn, end) => svg("text", { x: x(turn), y: LINES.top + LINES.height + 15, "text-anchor": end ? "end" : "start" }, end ? whole(turn) : "turn 0")),
    );
    const paths = runs.map((run, number) => {
      const d = thinned(run, inner()).map(([turn, tokens], at) => `${at ? "L" : "M"}${x(turn).toFixed(1)},${y(tokens).toFixed(1)}`).join("");
      return svg("path", { d: d || "M0,0", fill: "none", ...strokeOf(run), "stroke-width": 1.7, opacity: shown.has(number) ? 1 : 0.25 });
    });
    layers.paths.replaceChildren(...paths);
    drawCursor();
    onlayout(x(0), width - x(turns - 1));
  }

  function drawCursor() {
    layers.cursor.replaceChildren(...(width && turns ? [svg("line", { x1: x(cursor), x2: x(cursor), y1: 2, y2: LINES.top + LINES.height })] : []));
  }

  function turnAt(event) {
    const at = event.clientX - root.getBoundingClientRect().left - LINES.left;
    return Math.min(Math.max(Math.floor((at / inner()) * turns), 0), turns - 1);
  }

  function hover(event) {
    if (!turns) return;
    const turn = turnAt(event);
    const told = runs.filter((_, number) => shown.has(number)).map((run) => `${run.run} ${whole(tokensAt(run, turn))}`);
    tip.textContent = [`turn ${turn}`, ...told].join(" · ");
    tip.hidden = false;
    tip.style.left = `${Math.min(Math.max(x(turn) - tip.offsetWidth / 2, 0), width - tip.offsetWidth)}px`;
    if (event.buttons === 1) onpick(turn);
  }

  root.addEventListener("pointerdown", (event) => turns && onpick(turnAt(event)));
  root.addEventListener("pointermove", hover);
  root.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  const resized = new ResizeObserver(([entry]) => {
    width = Math.floor(entry.contentRect.width);
    redraw();
  });
  resized.observe(el);

  return {
    el,
    draw(next) {
      ({ runs, turns } = next);
      redraw();
    },
    show(numbers) {
      shown = new Set(numbers);
      redraw();
    },
    moveTo(turn) {
      cursor = turn;
      drawCursor();
    },
    dispose: () => resized.disconnect(),
  };
}

// The largest prompt of each pixel is enough of a long line.
function thinned({ at, tokens }, pixels) {
  const pairs = at.map((turn, number) => [turn, tokens[number]]);
  const size = Math.ceil(pairs.length / pixels);
  if (size <= 1) return pairs;
  return Array.from({ length: Math.ceil(pairs.length / size) }, (_, group) =>
    pairs.slice(group * size, (group + 1) * size).reduce((most, pair) => (pair[1] > most[1] ? pair : most)),
  );
}

function tokensAt({ at, tokens }, turn) {
  const later = at.findIndex((each) => each > turn);
  const number = (later < 0 ? at.length : later) - 1;
  return number < 0 ? 0 : tokens[number];
}

// Evidence in the prompt against the budget: a line a strategy, where runs have several budgets.
function evidenceChart(runs) {
  const known = runs.filter(({ evidence }) => evidence !== null);
  const budgets = [...new Set(known.map(({ budget }) => budget))].sort((a, b) => a - b);
  if (budgets.length < 2) return null;
  const [width, height, left, top, bottom] = [420, 160, 46, 10, 22];
  const x = (budget) => left + 12 + ((width - left - 36) * (budget - budgets[0])) / (budgets[budgets.length - 1] - budgets[0]);
  const y = (share) => top + (height - top - bottom) * (1 - share);
  const ticks = [0, 0.5, 1].flatMap((share) => [
    svg("line", { class: "hl-rule-line", x1: left, x2: width - 8, y1: y(share), y2: y(share) }),
    svg("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, `${share * 100} %`),
  ]);
  const names = budgets.map((budget) => svg("text", { x: x(budget), y: height - 6, "text-anchor": "middle" }, whole(budget)));
  const lines = [...new Set(known.map(({ strategy }) => strategy))].flatMap((strategy) => {
    const points = known.filter((run) => run.strategy === strategy).sort((a, b) => a.budget - b.budget);
    const d = points.map(({ budget, evidence }, at) => `${at ? "L" : "M"}${x(budget)},${y(evidence)}`).join("");
    return [
      svg("path", { d, fill: "none", stroke: points[0].colour, "stroke-width": 1.8 }),
      ...points.map((run) => svg("circle", { cx: x(run.budget), cy: y(run.evidence), r: 4, fill: run.colour }, svg("title", {}, `${run.run}: ${share(run.evidence)}`))),
    ];
  });
  const spoken = known.map((run) => `${run.run} ${share(run.evidence)}`).join(", ");
  return svg("svg", { class: "hl-lines", role: "img", width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": `evidence in the prompt against the budget: ${spoken}` }, ticks, names, lines);
}

function share(value) {
  return value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`;
}
