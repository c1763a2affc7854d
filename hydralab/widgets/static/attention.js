// The AttentionExplorer: the answer's words, the items with a bar a measure, and an item's tokens, shaded.

const ALL = -1;

function render({ model, el }) {
  const kernel = kernelWatch(showError);
  const overview = model.get("_overview");
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const pickers = {
    measure: h("select", { "aria-label": "measure", onchange: (event) => pick({ measure: event.target.value }) }, Object.entries(overview.measures).map(([name, words]) => h("option", { value: name }, words))),
    layer: numbered("layer", overview.layers),
    head: numbered("head", overview.heads),
  };
  const word = h("span", { class: "hl-picked-word" });
  const sides = overview.sides.map((side, number) => makeSide(side, number, { overview, pick }));
  const root = h(
    "div",
    { class: "hl-view hl-attention", role: "group", "aria-label": "attention explorer" },
    h(
      "header", { class: "hl-head" },
      h("div", { class: "hl-title" }, h("b", {}, overview.model), h("span", { dir: "auto" }, `「${overview.query}」`)),
      h("div", { class: "hl-pickers" }, word, Object.entries(pickers).map(([name, select]) => h("label", {}, name === "measure" ? null : name, select))),
    ),
    error,
    h("div", { class: `hl-sides${sides.length > 1 ? " hl-compared" : ""}` }, sides.map((side) => side.el)),
  );
  el.append(root);

  function numbered(name, count) {
    const options = [h("option", { value: ALL }, "all"), ...Array.from({ length: count }, (_, number) => h("option", { value: number }, String(number)))];
    return h("select", { "aria-label": name, onchange: (event) => pick({ [name]: Number(event.target.value) }) }, options);
  }

  function pick(change) {
    for (const [name, value] of Object.entries(change)) model.set(name, value);
    model.save_changes();
    kernel.asked();
    root.classList.add("hl-waiting");
  }

  function draw() {
    const result = model.get("_result");
    const picked = result.pick;
    kernel.answered();
    root.classList.remove("hl-waiting");
    const whole = overview.whole.includes(picked.measure);
    for (const [name, select] of Object.entries(pickers)) {
      select.value = String(picked[name]);
      select.disabled = whole && name !== "measure";
      select.title = select.disabled ? "this measure is of the whole model" : "";
    }
    const chosen = picked.word === ALL ? null : overview.sides[0].words[picked.word]?.trim();
    word.replaceChildren(...(chosen ? [h("span", {}, "of the word "), h("b", { dir: "auto" }, chosen), button("all words", "×", () => pick({ word: ALL }))] : []));
    sides.forEach((side, number) => side.draw(result.sides[number], picked, result.scale));
  }

  function drawError() {
    kernel.answered();
    root.classList.remove("hl-waiting");
    showError(model.get("error"));
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
  }

  draw();
  showError(model.get("error"));
  const bound = { "change:_result": draw, "change:error": drawError };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    kernel.dispose();
  };
}

// One of the contexts that are compared.
function makeSide(side, number, { overview, pick }) {
  let sorted = "order";
  let latest = null;
  const words = h("div", { class: "hl-words", role: "listbox", "aria-label": `words of the ${overview.source}${side.same_words ? ", choose one to see what it looked at" : ""}`, dir: "auto", "aria-orientation": "horizontal" });
  const table = h("div", { class: "hl-attended" });
  const corner = h("div", { class: "hl-corner", "aria-live": "polite" });
  const text = h("section", { class: "hl-shaded", "aria-label": "text of the item", tabindex: 0 });
  const probability = side.log_probability === null ? null : h("span", {}, `log p of ${overview.sides.every((each) => each.same_words) ? "the" : "its own"} answer `, h("b", {}, `${fixed(side.log_probability, 1)} nats`.replace("-", "−")));
  const head = h(
    "div", { class: "hl-side-head" },
    overview.sides.length > 1 ? h("h3", { dir: "auto" }, side.name) : null,
    h("span", { class: "hl-muted" }, `${whole(side.tokens)} tokens`), probability,
  );
  const el = h(
    "section", { class: "hl-side", "aria-label": side.name }, head, words,
    h("div", { class: "hl-pair", style: `--hl-rows: ${Math.max(...overview.sides.map(({ items }) => items.length))}` }, h("div", { class: "hl-items-part" }, table, corner), text),
  );

  function draw(shown, picked, scale) {
    latest = { shown, picked, scale };
    drawWords();
    drawTable();
    drawCorner();
    drawText();
  }

  // Of a row of buttons one can be reached by the Tab key; the arrow keys go from one to the next.
  function rove(list, keys, choose) {
    return (event) => {
      const step = keys[event.key];
      if (!step) return;
      const all = [...list.querySelectorAll("[data-at]")];
      const at = all.indexOf(event.target.closest("[data-at]"));
      const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
      event.preventDefault();
      event.stopPropagation();
      if (next && next !== all[at]) {
        next.focus({ preventScroll: true });
        choose(next);
      }
    };
  }

  const focusedAt = (list) => (list.contains(document.activeElement) ? document.activeElement.dataset.at : undefined);
  const focusAgain = (list, at) => at !== undefined && list.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });

  function drawWords() {
    const { shown, picked } = latest;
    const at = focusedAt(words);
    const buttons = side.words.map((piece, place) => {
      const item = side.items[shown.looked[place]];
      const chosen = side.same_words && place === picked.word;
      const spoken = item ? `${piece.trim() || "space"}: looked at ${item.name} most, ${Math.round(100 * shown.shares[place])} percent` : piece;
      return h(
        "button",
        {
          type: "button", role: "option", class: "hl-word", style: item ? `--hl-part: ${item.colour}` : null, "data-at": place, disabled: !side.same_words,
          "aria-selected": String(chosen), "aria-label": spoken, title: spoken, tabindex: place === Math.max(picked.word, 0) ? 0 : -1,
          onclick: () => pick(chosen ? { word: ALL } : { word: place, ...(item ? { item: item.key } : {}) }),
        },
        piece.trim() || "␣",
      );
    });
    const more = side.more_words ? h("span", { class: "hl-muted" }, ` … ${whole(side.more_words)} more words`) : null;
    words.replaceChildren(...(buttons.length ? buttons : [h("span", { class: "hl-muted" }, "no words")]), ...(more ? [more] : []));
    focusAgain(words, at);
  }

  words.addEventListener("keydown", rove(words, { ArrowLeft: -1, ArrowRight: 1 }, (next) => next.click()));

  function drawTable() {
    const { shown, picked, scale } = latest;
    const at = focusedAt(table);
    const top = table.scrollTop;
    const rows = side.items.map((item, place) => ({ item, place, value: shown.values[place], effect: shown.effects[place], told: shown.told[place] }));
    const low = (value) => (value === null || value === undefined ? -Infinity : value);
    if (sorted !== "order") rows.sort((a, b) => low(b[sorted]) - low(a[sorted]) || a.place - b.place);
    const [name, words_] = [picked.measure, overview.measures[picked.measure]];
    const head = h(
      "tr", {},
      headCell("order", "item", "the order of the prompt", ""), h("th", { class: "hl-n", scope: "col" }, "tokens"),
      headCell("value", words_, `by ${words_}`, "hl-bar-head"), headCell("effect", "leave one out", "by what leaving it out does to log p of the answer, nats", "hl-bar-head"),
    );
    const columns = h("colgroup", {}, ["", "hl-c-tokens", "hl-c-bar", "hl-c-bar"].map((each) => h("col", { class: each })));
    const body = rows.map((row) => itemRow(row, picked, scale, name));
    table.replaceChildren(h("table", {}, columns, h("thead", {}, head), h("tbody", {}, body)));
    table.scrollTop = top;
    focusAgain(table, at);
  }

  table.addEventListener("keydown", rove(table, { ArrowUp: -1, ArrowDown: 1 }, (next) => {
    keepInside(table, next.closest("tr"));
    next.click();
  }));

  function headCell(by, shown, title, kind) {
    const state = sorted === by && by !== "order" ? "descending" : "none";
    const sort = () => {
      sorted = sorted === by ? "order" : by;
      drawTable();
      table.querySelector(`[data-by="${by}"]`)?.focus();
    };
    return h("th", { class: kind, scope: "col", "aria-sort": state }, h("button", { type: "button", "data-by": by, title: `sort ${title}`, onclick: sort }, shown, h("i", { "aria-hidden": "true" }, state === "none" ? "" : " ▾")));
  }

  function itemRow({ item, place, value, effect, told }, picked, scale, measure) {
    const readable = item.section !== "sink";
    const chosen = readable && item.key === picked.item;
    const first = !side.items.some(({ key }) => key === picked.item) && place === 0;
    const label = readable
      ? h("button", { type: "button", class: "hl-item-name", "data-at": place, "aria-pressed": String(chosen), tabindex: chosen || first ? 0 : -1, dir: "auto", title: item.name, onclick: () => pick({ item: item.key }) }, item.name)
      : h("span", { class: "hl-item-name", title: "keys that get attention whatever they say; dropped from sink-free mass and lift" }, item.name);
    const effectTold = effect === null ? "" : `${effect > 0 ? "+" : ""}${fixed(effect, 1)}`.replace("-", "−");
    return h(
      "tr",
      { class: `hl-attended-row${chosen ? " hl-chosen" : ""}${["template", "answer", "sink"].includes(item.section) ? " hl-beside" : ""}`, style: `--hl-part: ${item.own ? item.colour : "var(--hl-free)"}` },
      h("td", {}, h("div", { class: "hl-name" }, h("i", { class: item.own ? "hl-dot" : "hl-dot hl-dot-plain", "aria-hidden": "true" }), label)),
      h("td", { class: "hl-n" }, item.tokens === null ? "" : whole(item.tokens)),
      barCell(value, told, scale[measure], item.unstable && measure.endsWith("lift")), barCell(effect, effectTold, scale.leave_one_out, false),
    );
  }

  function drawCorner() {
    const { rho, items, tried } = latest.shown.agreement;
    const name = overview.measures[latest.picked.measure];
    const said = rho === null ? "too few items to say" : h("b", {}, `${rho > 0 ? "+" : ""}${fixed(rho)}`.replace("-", "−"));
    corner.replaceChildren(...(tried
      ? [h("span", { title: "Spearman's rank correlation: 1 when attention ranks the items as leaving them out does" }, `${name} and leave one out, rank correlation of ${items} items: `, said)]
      : ["leaving items out was not tried: attention alone doesn't say what the answer rests on"]));
  }

  function drawText() {
    const { shown, picked } = latest;
    const item = side.items.find(({ key }) => key === picked.item);
    if (!shown.text || !item) {
      text.replaceChildren(h("p", { class: "hl-note" }, picked.item ? "this item is not in this context" : "choose an item to see its text"));
      return;
    }
    const { pieces, heat, times, sinks, cut, strongest } = shown.text;
    const dotted = new Set(sinks);
    const spans = pieces.map((piece, place) => {
      const kind = dotted.has(place) ? "hl-sink-token" : null;
      const title = dotted.has(place) ? `a sink, ${times[place]}× uniform attention` : `${times[place]}× uniform attention`;
      return heat[place] || kind ? h("span", { class: kind, title, style: kind ? null : `--hl-heat: ${heat[place]}%` }, piece) : piece;
    });
    const named = strongest.map(([piece, often]) => h("span", {}, h("b", { dir: "auto" }, piece), ` ${often}×`));
    text.setAttribute("aria-label", `text of ${item.name}, tokens shaded by attention`);
    text.replaceChildren(
      h("header", {}, h("h3", { dir: "auto" }, item.name), h("span", { class: "hl-muted" }, item.section)),
      h("p", { class: "hl-strongest hl-muted" }, named.length ? ["strongest, × uniform: ", ...named] : "no token stands out"),
      h("div", { class: "hl-tokens", dir: "auto" }, spans),
      cut ? h("p", { class: "hl-muted" }, `${whole(cut)} more tokens`) : "",
    );
  }

  return { el, draw };
}

function barCell(value, told, [low, high], pale) {
  if (value === null || value === undefined) return h("td", {});
  const unit = 100 / (high - low || 1);
  const left = (Math.min(value, 0) - low) * unit;
  const style = `--hl-left: ${left.toFixed(1)}%; --hl-width: ${Math.max(Math.abs(value) * unit, 0.8).toFixed(1)}%; --hl-zero: ${(-low * unit).toFixed(1)}%`;
  return h("td", { title: pale ? "under 5 tokens, where lift is unstable" : null }, h("div", { class: `hl-bar-cell${pale ? " hl-pale" : ""}`, style }, h("i", { "aria-hidden": "true" }), h("span", {}, told)));
}

export default { render };
