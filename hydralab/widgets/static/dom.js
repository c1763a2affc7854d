// Elements, numbers and messages. Text reaches the page through textContent alone: nothing is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// JupyterLab's shortcuts match the focused element first, so each that can have the focus is marked:
// else Enter on a button would edit the cell, and an arrow key on a slider would do nothing.
const FOCUSABLE = new Set(["button", "input", "select", "textarea"]);

function h(tag, attributes = {}, ...children) {
  const suppressed = FOCUSABLE.has(tag) || "tabindex" in attributes ? { "data-lm-suppress-shortcuts": "true" } : {};
  return fill(document.createElement(tag), { ...attributes, ...suppressed }, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function button(label, glyph, onclick) {
  return h("button", { type: "button", "aria-label": label, title: label, onclick }, glyph);
}

function whole(number) {
  return Number(number).toLocaleString("en-US");
}

function fixed(number, digits = 2) {
  return number === null || number === undefined || Number.isNaN(number) ? "–" : Number(number).toFixed(digits);
}

// Scores lie between 0 and 1 nearly always; without the leading zero a column of them is easier to scan.
function score(number) {
  return fixed(number).replace(/^0\./, ".").replace(/^-0\./, "−.");
}

function floats(view) {
  if (!view || !view.byteLength) return new Float32Array(0);
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// Ask Python for something and wait: answers come in order of asking, one open question a name.
function asker(model) {
  const waiting = new Map();
  model.on("msg:custom", (message) => {
    const queue = waiting.get(message.answer);
    if (queue?.length) queue.shift()(message);
  });
  return (name, more = {}) =>
    new Promise((resolve) => {
      if (!waiting.has(name)) waiting.set(name, []);
      waiting.get(name).push(resolve);
      model.send({ ask: name, ...more });
    });
}

// Where no kernel runs a view is still drawn, from what the notebook saved; say so when it can't follow.
function kernelWatch(show, patience = 5000) {
  let waiting = null;
  const answered = () => {
    clearTimeout(waiting);
    waiting = null;
  };
  const asked = () => {
    waiting ??= setTimeout(() => show("no answer from the kernel: run the cell to go on"), patience);
  };
  return { asked, answered };
}

const ICONS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  back: "M11 3L4 8l7 5z",
  next: "M5 3l7 5-7 5z",
  play: "M4 2.5l9 5.5-9 5.5z",
  pause: "M5 3v10M11 3v10",
  spanBack: "M13 4H7M13 8H7M13 12H7M4 4v8",
  spanNext: "M3 4h6M3 8h6M3 12h6M12 4v8",
};

function icon(name) {
  return svg("svg", { class: "hl-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
