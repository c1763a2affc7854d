// The RecallLab: a query and the sliders of recall; candidates and the packed prompt follow.

const ONE_WEIGHT = { low: 0, high: 1, step: 0.05 };

function render({ model, el }) {
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const page = model.get("_page");
  const candidates = makeCandidates();
  const context = makeContext({ ask, tabs: ["items", "prompt"], onturn: candidates.reveal });
  let serial = 0;
  let idle = null;
  let shownDialogue = null;
  let shownSliders = null;
  let anew = true;

  const title = h("div", { class: "hl-title" });
  const counts = h("span", { class: "hl-muted", "aria-live": "polite" });
  const query = h("input", { type: "text", placeholder: "type a query", "aria-label": "query", dir: "auto", readonly: Boolean(page), oninput: typed });
  const gold = h("select", { "aria-label": "gold question", onchange: () => (gold.value ? send({ question: gold.value }) : send({ query: query.value })) });
  const goldField = h("div", { class: "hl-field hl-gold-field" }, h("span", { class: "hl-gold-mark", "aria-hidden": "true" }, "◆"), gold);
  const at = h("input", { type: "number", min: 0, "aria-label": "ask before turn", readonly: Boolean(page), oninput: typed });
  const blend = h("select", { "aria-label": "blend", onchange: chooseBlend });
  const weights = h("div", { class: "hl-weights", role: "group", "aria-label": "weights of the scores" });
  const limits = h("div", { class: "hl-field" });
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const root = h(
    "div",
    { class: "hl-view hl-recalllab", "aria-label": "recall lab" },
    h("header", { class: "hl-head" }, title, counts),
    h("div", { class: "hl-asking" }, h("div", { class: "hl-field" }, query, h("label", {}, "before turn"), at), goldField),
    h("div", { class: "hl-settings" }, h("div", { class: "hl-field" }, h("label", {}, "blend"), blend), weights, limits),
    error,
    h("div", { class: "hl-columns" }, candidates.el, context.el),
  );
  el.append(root);

  const result = () => model.get("_result");

  // One trait carries every edit; the serial number makes equal edits in a row arrive as well.
  function send(edit) {
    serial += 1;
    model.set("_edit", { ...edit, serial });
    model.save_changes();
    kernel.asked();
    context.stale(true);
  }

  function typed() {
    clearTimeout(idle);
    idle = setTimeout(() => send({ query: query.value, at: at.value === "" ? null : Number(at.value) }), 300);
  }

  function change(next) {
    shownSliders = { ...shownSliders, blend: "", ...next };
    send({ sliders: shownSliders });
  }

  function chooseBlend() {
    anew = true;
    change({ blend: blend.value });
  }

  function drawHead() {
    const { dialogue, dialogue_id: id, dialogues, candidates: rows, more, moment } = result();
    if (shownDialogue !== id) {
      shownDialogue = id;
      const names = dialogues.length > 1
        ? h("select", { "aria-label": "dialogue", onchange: (event) => send({ dialogue_id: event.target.value }) }, dialogues.map(([name, shown]) => h("option", { value: name, selected: name === id }, shown || name)))
        : h("b", { dir: "auto" }, dialogue);
      title.replaceChildren(names);
    }
    const kept = rows.filter((row) => row.kept).length;
    counts.textContent = `${whole(rows.length + more)} candidates${more ? `, the first ${rows.length} shown` : ""} · ${kept} of them in the prompt`;
    if (!moment.asked.length) return;
    const lost = moment.asked[0].evidence.filter(({ stage }) => stage !== "met").length;
    const all = moment.asked[0].evidence.length;
    if (all) counts.textContent += ` · evidence ${all - lost} of ${all} met`;
  }

  function drawAsked() {
    const { query: asked, question, questions, at: place, turns } = result();
    if (document.activeElement !== query) query.value = asked;
    if (document.activeElement !== at) at.value = place;
    at.max = turns;
    at.disabled = Boolean(question);
    gold.replaceChildren(...(page ? [] : [h("option", { value: "" }, "a query of my own")]), ...questions.map(([id, text]) => h("option", { value: id, selected: id === question }, page && !id.includes(":") ? text : `${id.split(":").pop()}  ${text}`)));
    goldField.hidden = !questions.length;
  }

  // What the hand is on is never built anew.
  function drawSliders() {
    const { sliders, blends, columns } = result();
    blend.replaceChildren(...(sliders.blend ? [] : [h("option", { value: "", selected: true }, "my weights")]), ...blends.map((name) => h("option", { value: name, selected: name === sliders.blend }, name)));
    const held = weights.contains(document.activeElement) || limits.contains(document.activeElement);
    if (!anew && (held || JSON.stringify(sliders) === JSON.stringify(shownSliders))) return;
    anew = false;
    shownSliders = sliders;
    weights.replaceChildren(...Object.entries(columns).map(([name, words]) => weightRow(name, words)));
    limits.replaceChildren(
      ...limit("turns", "turns, at most", 0, 200, 5), ...limit("checkpoints", "checkpoints, at most", 0, 20, 1),
      ...limit("budget", "budget", 100, Math.max(8000, sliders.budget), 50),
    );
  }

  function weightRow(name, words) {
    const slide = slideRow({
      label: `weight of ${name}`, value: shownSliders.weights[name] ?? 0, ...ONE_WEIGHT, disabled: Boolean(page),
      oninput: (value) => {
        change({ weights: { ...shownSliders.weights, [name]: value } });
        row.classList.toggle("hl-off", !value);
      },
    });
    const row = h("div", { class: `hl-weight${shownSliders.weights[name] ? "" : " hl-off"}`, title: words }, h("span", {}, name.replace("_", " ")), slide);
    return row;
  }

  function limit(name, words, low, high, step) {
    return [h("label", {}, words), slideRow({ label: words, value: shownSliders[name], low, high, step, disabled: Boolean(page), oninput: (value) => change({ blend: shownSliders.blend, [name]: value }) })];
  }

  function drawResult() {
    drawHead();
    drawAsked();
    drawSliders();
    candidates.draw(result());
    context.stale(false);
    context.draw(result().moment);
  }

  function drawAnswered() {
    kernel.answered();
    context.stale(false);
  }

  function drawError() {
    showError(model.get("error"));
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
  }

  drawResult();
  drawError();
  const bound = { "change:_result": drawResult, "change:error": drawError, "change:_answered": drawAnswered };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    clearTimeout(idle);
    kernel.dispose();
    ask.dispose();
  };
}

export default { render };
