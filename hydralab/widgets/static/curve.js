// A signal over turns with what happens at them. A click, or a drag, picks a turn.

const PLOT = { height: 92, top: 16, bottom: 16, left: 30, right: 8 };
const NARROWEST = 9;

function makeCurve({ onpick, onlayout }) {
  const root = svg("svg", { class: "hl-curve", role: "img", height: PLOT.top + PLOT.height + PLOT.bottom });
  const layers = Object.fromEntries(
    ["axis", "spans", "line", "found", "sources", "marks", "mine", "cursor", "hover"].map((name) => [name, svg("g", { class: `hl-${name}` })]),
  );
  root.append(...Object.values(layers));
  const tip = h("div", { class: "hl-tip", hidden: true });
  const el = h("div", { class: "hl-curve-frame" }, root, tip);
  let data = { label: "", values: new Float32Array(0), turns: 0, marks: [], spans: [], threshold: null, sources: {}, found: [], mine: [], low: 0, high: 1 };
  let width = 0;
  let cursor = null;

  const inner = () => Math.max(width - PLOT.left - PLOT.right, 1);
  const x = (turn) => PLOT.left + ((turn + 0.5) / Math.max(data.turns, 1)) * inner();
  const y = (value) => PLOT.top + PLOT.height * (1 - (value - data.low) / (data.high - data.low || 1));

  function turnAt(event) {
    const at = event.clientX - root.getBoundingClientRect().left - PLOT.left;
    return Math.min(Math.max(Math.floor((at / inner()) * data.turns), 0), data.turns - 1);
  }

  function drawAxis() {
    const ticks = [data.low, data.high].map((value) =>
      svg("text", { x: PLOT.left - 5, y: y(value) + 4, "text-anchor": "end" }, tickText(value)),
    );
    const base = svg("line", { x1: PLOT.left, x2: width - PLOT.right, y1: y(data.low), y2: y(data.low) });
    const rule =
      data.threshold === null
        ? []
        : [svg("line", { class: "hl-threshold", x1: PLOT.left, x2: width - PLOT.right, y1: y(data.threshold), y2: y(data.threshold) })];
    layers.axis.replaceChildren(...ticks, base, ...rule);
  }

  function drawSpans() {
    const top = PLOT.top + PLOT.height + 1;
    const rects = data.spans.map((span, number) =>
      svg("rect", {
        x: x(span.start - 0.5), width: Math.max(x(span.end + 0.5) - x(span.start - 0.5) - 1, 0.5), y: top, height: 4,
        fill: `var(--hl-band-${number % 6})`, opacity: span.status === "open" ? 0.4 : 1,
      }),
    );
    layers.spans.replaceChildren(...rects);
  }

  function drawMarks() {
    const shapes = data.marks.flatMap(({ kind, at, name }) =>
      at.length * NARROWEST > inner() ? [ticks(kind, at)] : at.map((turn) => mark(kind, name, turn)),
    );
    layers.marks.replaceChildren(...shapes);
  }

  // So many marks would run into each other: they become a rug of thin lines.
  function ticks(kind, at) {
    const top = kind === "gold" ? PLOT.top + PLOT.height + 7 : PLOT.top - (kind === "previous" ? 15 : 9);
    return svg("path", { class: `hl-rug hl-rug-${kind}`, d: at.map((turn) => `M${x(turn).toFixed(1)},${top}v${kind === "gold" ? 7 : 6}`).join("") });
  }

  function mark(kind, name, turn) {
    const at = x(turn);
    const top = PLOT.top - 3;
    const bottom = PLOT.top + PLOT.height + 11;
    const path = {
      boundary: `M${at - 4},${top - 8}h8l-4,7z`,
      previous: `M${at - 4},${top - 8}h8l-4,7z`,
      gold: `M${at},${bottom - 4}l4,4l-4,4l-4,-4z`,
    }[kind];
    const parts = [svg("path", { class: `hl-mark-${kind}`, d: path })];
    if (kind === "boundary") {
      parts.unshift(svg("line", { class: "hl-boundary-line", x1: at, x2: at, y1: PLOT.top - 3, y2: y(data.low) }));
    }
    return svg("g", {}, ...parts, svg("title", {}, `${name} at turn ${turn}`));
  }

  // Where in the dialogue the prompt's text is from.
  function drawSources() {
    const step = Math.max(inner() / Math.max(data.turns, 1), 2);
    const rects = Object.entries(data.sources).flatMap(([kind, turns]) =>
      turns.map((turn) => svg("rect", { class: `hl-source-${kind}`, x: x(turn) - step / 2, width: step, y: PLOT.top + PLOT.height - 5, height: 5 })),
    );
    layers.sources.replaceChildren(...(width ? rects : []));
  }

  // Where the text that is searched for stands.
  function drawFound() {
    const lines = data.found.map((turn) => `M${x(turn).toFixed(1)},${PLOT.top}v${PLOT.height}`).join("");
    layers.found.replaceChildren(...(width && lines ? [svg("path", { d: lines })] : []));
  }

  // What a person marks now: rings around where gold stands.
  function drawMine() {
    const bottom = PLOT.top + PLOT.height + 11;
    const rings = data.mine.map((turn) => svg("path", { class: "hl-mark-mine", d: `M${x(turn)},${bottom - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z` }, svg("title", {}, `marked at turn ${turn}`)));
    layers.mine.replaceChildren(...(width ? rings : []));
  }

  function drawCursor() {
    const shown = cursor === null || !data.turns ? [] : [svg("line", { x1: x(cursor), x2: x(cursor), y1: 2, y2: PLOT.top + PLOT.height + 6 })];
    layers.cursor.replaceChildren(...shown);
  }

  function redraw() {
    if (!width) return;
    root.setAttribute("width", width);
    root.setAttribute("aria-label", `${data.label}: ${data.turns} turns, ${data.marks.map(({ at, name }) => `${at.length} ${name}`).join(", ")}`);
    drawAxis();
    drawSpans();
    layers.line.replaceChildren(...curvePaths(data.values, x, y, inner()));
    drawMarks();
    drawSources();
    drawFound();
    drawMine();
    drawCursor();
    onlayout?.(x(0), width - x(data.turns - 1));
  }

  function hover(event) {
    if (!data.turns) return;
    const turn = turnAt(event);
    const span = data.spans.find(({ start, end }) => start <= turn && turn <= end);
    tip.textContent = [`turn ${turn}`, `${data.label} ${score(data.values[turn])}`, span?.title].filter(Boolean).join(" · ");
    tip.hidden = false;
    tip.style.left = `${Math.min(Math.max(x(turn) - tip.offsetWidth / 2, 0), width - tip.offsetWidth)}px`;
    layers.hover.replaceChildren(svg("line", { x1: x(turn), x2: x(turn), y1: PLOT.top, y2: PLOT.top + PLOT.height }));
    if (event.buttons === 1) onpick?.(turn);
  }

  root.addEventListener("pointerdown", (event) => data.turns && onpick?.(turnAt(event)));
  root.addEventListener("pointermove", hover);
  root.addEventListener("pointerleave", () => {
    tip.hidden = true;
    layers.hover.replaceChildren();
  });
  const resized = new ResizeObserver(([entry]) => {
    width = Math.floor(entry.contentRect.width);
    redraw();
  });
  resized.observe(el);

  return {
    el,
    draw(next) {
      data = { ...data, ...next };
      [data.low, data.high] = extent(data.values);
      redraw();
    },
    show(sources) {
      data.sources = sources;
      drawSources();
    },
    showFound(found) {
      data.found = found;
      drawFound();
    },
    showMine(turns) {
      data.mine = turns;
      drawMine();
    },
    moveTo(turn) {
      cursor = turn;
      drawCursor();
    },
    dispose: () => resized.disconnect(),
  };
}

// A share is shown on the whole of its scale, so that curves compare; anything else on its own range.
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high || (low >= 0 && high <= 1)) return [0, 1];
  return [Math.min(low, 0), high];
}

function tickText(value) {
  return Math.abs(value) >= 1000 ? whole(Math.round(value)) : String(Math.round(value * 100) / 100);
}

// Up to two turns a pixel the curve is a line; beyond that a range with the mean in it.
function curvePaths(values, x, y, pixels) {
  if (values.length <= 2 * pixels) return [linePath(values, x, y), ...dots(values, x, y, pixels)];
  const size = Math.ceil(values.length / pixels);
  const [upper, lower, middle] = [[], [], []];
  for (let start = 0; start < values.length; start += size) {
    const group = [...values.subarray(start, start + size)].filter((value) => !Number.isNaN(value));
    if (!group.length) continue;
    const at = x(start + (size - 1) / 2).toFixed(1);
    upper.push(`${at},${y(Math.max(...group)).toFixed(1)}`);
    lower.unshift(`${at},${y(Math.min(...group)).toFixed(1)}`);
    middle.push(`${at},${y(group.reduce((sum, value) => sum + value, 0) / group.length).toFixed(1)}`);
  }
  return [svg("polygon", { points: [...upper, ...lower].join(" ") }), svg("polyline", { points: middle.join(" ") })];
}

function linePath(values, x, y) {
  let path = "";
  let pen = "M";
  values.forEach((value, turn) => {
    if (Number.isNaN(value)) pen = "M";
    else {
      path += `${pen}${x(turn).toFixed(1)},${y(value).toFixed(1)}`;
      pen = "L";
    }
  });
  return svg("path", { d: path || "M0,0" });
}

function dots(values, x, y, pixels) {
  if (values.length * 9 > pixels) return [];
  return [...values].flatMap((value, turn) => (Number.isNaN(value) ? [] : [svg("circle", { cx: x(turn), cy: y(value), r: 2 })]));
}

function legend(...marks) {
  return h("div", { class: "hl-legend", "aria-hidden": "true" }, marks.map(([kind, name]) => h("span", {}, h("i", { class: `hl-legend-${kind}` }), name)));
}
