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

// Ask Python for something and wait. Every question has an id and one answer, which is null where it failed:
// the reason is then in the model's `error`. `kernel` is told, so that a question nobody answers is noticed.
// A model has as many views as it is shown in; each hears every answer and knows its own by its own mark.
function asker(model, kernel) {
  const waiting = new Map();
  const own = Math.random().toString(36).slice(2);
  let asked = 0;
  const heard = (message) => {
    const resolve = waiting.get(message.id);
    if (!resolve) return;
    waiting.delete(message.id);
    kernel.answered();
    resolve(message.error === undefined ? message : null);
  };
  model.on("msg:custom", heard);
  const ask = (name, more = {}) =>
    new Promise((resolve) => {
      asked += 1;
      const id = `${own} ${asked}`;
      waiting.set(id, resolve);
      kernel.asked();
      model.send({ ask: name, id, ...more });
    });
  ask.dispose = () => {
    model.off("msg:custom", heard);
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  };
  return ask;
}

// Where no kernel runs a view is still drawn, from what the notebook saved; say so when it can't follow.
const NO_KERNEL = "no answer from the kernel: run the cell to go on";

function kernelWatch(show, patience = 5000) {
  let waiting = null;
  let complained = false;
  const answered = () => {
    clearTimeout(waiting);
    waiting = null;
    if (complained) show("");
    complained = false;
  };
  const asked = () => {
    waiting ??= setTimeout(() => {
      complained = true;
      show(NO_KERNEL);
    }, patience);
  };
  return { asked, answered, dispose: () => clearTimeout(waiting) };
}

// Text with what was searched for marked in it, as nodes.
function marked(text, wanted) {
  if (!wanted) return [text];
  const [low, looked] = [text.toLowerCase(), wanted.toLowerCase()];
  if (low.length !== text.length) return [text];
  const parts = [];
  let from = 0;
  for (let at = low.indexOf(looked); at >= 0; at = low.indexOf(looked, from)) {
    parts.push(text.slice(from, at), h("mark", {}, text.slice(at, at + looked.length)));
    from = at + looked.length;
  }
  return [...parts, text.slice(from)];
}

// Scrolls the list alone; scrollIntoView would scroll the notebook too.
function keepInside(list, node) {
  const margin = 56;
  const top = node.getBoundingClientRect().top - list.getBoundingClientRect().top;
  const bottom = top + Math.min(node.offsetHeight, list.clientHeight - 2 * margin);
  if (top < margin) list.scrollTop += top - margin;
  else if (bottom > list.clientHeight - margin) list.scrollTop += bottom - list.clientHeight + margin;
}

// Rows of a table in a scrolling list, drawn as far as one has scrolled: a redraw costs what is seen, not all
// that there is. `makers` make a row each; the first `least` are made in any case.
const BATCH = 16;

function grow(table, makers, list, least = 0) {
  const grown = { count: 0, all: () => add(makers.length) };
  const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && add(grown.count + BATCH), { root: list, rootMargin: "300px" });

  function add(upto) {
    table.append(...makers.slice(grown.count, upto).map((make) => make()));
    grown.count = Math.max(grown.count, Math.min(upto, makers.length));
    watch.disconnect();
    if (grown.count < makers.length) watch.observe(table.lastElementChild);
  }

  add(Math.max(least, BATCH));
  return grown;
}

const ICONS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  back: "M11 3L4 8l7 5z",
  next: "M5 3l7 5-7 5z",
  play: "M4 2.5l9 5.5-9 5.5z",
  pause: "M5 3v10M11 3v10",
  spanBack: "M13 4H7M13 8H7M13 12H7M4 4v8",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  search: "M10.5 10.5L14 14M11.5 7a4.5 4.5 0 1 1-9 0a4.5 4.5 0 0 1 9 0z",
  spanNext: "M3 4h6M3 8h6M3 12h6M12 4v8",
};

function icon(name) {
  return svg("svg", { class: "hl-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
