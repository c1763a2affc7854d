// Marks of a person: boundaries, decisions, and turns as evidence for a question; by button, or by key while the bar is open.

const NEW_QUESTION = "\u0000new";

function makeAnnotation({ ask, here, model, last }) {
  let chosen = "";
  const boundary = marker("boundary", "◆", "B", () => ask("mark", { kind: "boundary", position: here() }));
  const decision = marker("decision", "✓", "D", () => ask("mark", { kind: "decision", position: here() }));
  const evidence = marker("evidence", "▸", "E", markEvidence);
  const undo = button("take the last mark back (U)", "undo", () => ask("undo"));
  const save = button("write the marks as tables", "save", write);
  const place = h("span", { class: "hl-muted hl-mark-place" });
  const counts = h("span", { class: "hl-muted hl-mark-counts", "aria-live": "polite" });
  const select = h("select", { "aria-label": "question that the evidence is for", dir: "auto", onchange: () => choose(select.value) });
  const text = h("input", { type: "text", class: "hl-ask-text", placeholder: "what somebody may ask", "aria-label": "question", dir: "auto" });
  const answer = h("input", { type: "text", placeholder: "answer, if known", "aria-label": "gold answer", dir: "auto" });
  const when = h("select", { "aria-label": "when it is asked" }, h("option", { value: "end" }, "asked at the end"), h("option", { value: "here" }, "asked after this turn"));
  const add = button("add the question", "add", addQuestion);
  const asking = h("div", { class: "hl-asking", hidden: true, onkeydown: onAsking }, text, answer, when, add);
  const el = h(
    "div",
    { class: "hl-annotate", role: "toolbar", "aria-label": "annotation", hidden: true },
    h("div", { class: "hl-marking" }, place, boundary, decision, h("span", { class: "hl-for" }, evidence, h("span", { class: "hl-muted" }, "for"), select), undo, save, counts),
    asking,
  );
  const marks = () => model.get("_marks") ?? {};
  const questions = () => marks().questions ?? [];
  const keys = { b: () => boundary.click(), d: () => decision.click(), e: () => evidence.click(), u: () => undo.click() };

  function marker(name, glyph, key, onclick) {
    return button(`${name} at this turn (${key})`, `${glyph} ${name}`, onclick);
  }

  async function markEvidence() {
    if (chosen) await ask("evidence", { question: chosen, position: here() });
    else choose(NEW_QUESTION);
  }

  function choose(value) {
    chosen = value === NEW_QUESTION ? "" : value;
    asking.hidden = value !== NEW_QUESTION;
    draw();
    if (!asking.hidden) text.focus();
  }

  async function addQuestion() {
    const answered = await ask("ask", { text: text.value, answer: answer.value, asked_at: when.value === "here" ? here() : null });
    if (!answered) return;
    [text.value, answer.value] = ["", ""];
    choose(answered.question);
    evidence.focus();
  }

  // While one types, keys are letters.
  function onAsking(event) {
    event.stopPropagation();
    if (event.key === "Enter" && event.target !== add) {
      event.preventDefault();
      addQuestion();
    } else if (event.key === "Escape") {
      choose("");
      boundary.focus();
    }
  }

  async function write() {
    const answered = await ask("save");
    if (!answered) return;
    save.textContent = `wrote ${answered.path}`;
    setTimeout(() => save.replaceChildren("save"), 2500);
  }

  function draw() {
    const turn = here();
    const known = questions();
    if (chosen && !known.some(({ id }) => id === chosen)) chosen = "";
    const options = [["", "choose a question"], ...known.map(({ id, text: words }) => [id, `${id.split(":").pop()} · ${words}`]), [NEW_QUESTION, "type a new question…"]];
    const value = asking.hidden ? chosen : NEW_QUESTION;
    select.replaceChildren(...options.map(([id, words]) => h("option", { value: id, selected: id === value }, words)));
    place.textContent = `turn ${turn}`;
    press(boundary, (marks().boundaries ?? []).includes(turn));
    press(decision, (marks().decisions ?? []).includes(turn));
    press(evidence, known.some(({ id, evidence: turns }) => id === chosen && turns.includes(turn)));
    boundary.disabled = turn === 0 || last < 0;
    undo.disabled = !marks().changes;
    const numbers = [[marks().boundaries?.length ?? 0, "boundary", "boundaries"], [marks().decisions?.length ?? 0, "decision", "decisions"], [known.length, "question", "questions"]];
    counts.textContent = `${marks().annotator ?? ""}: ${numbers.map(([count, one, more]) => `${whole(count)} ${count === 1 ? one : more}`).join(", ")}`;
  }

  function press(node, on) {
    node.setAttribute("aria-pressed", String(on));
  }

  return {
    el,
    draw,
    isOpen: () => !el.hidden,
    toggle: () => {
      el.hidden = !el.hidden;
    },
    // Whether a key was one of the bar's.
    key(name) {
      if (el.hidden || !(name in keys)) return false;
      keys[name]();
      return true;
    },
  };
}

// Turn → what is marked at it, in words.
function marksByTurn({ boundaries = [], decisions = [], questions = [] }) {
  const words = new Map();
  const note = (turn, word) => words.set(turn, [...(words.get(turn) ?? []), word]);
  boundaries.forEach((turn) => note(turn, "◆ boundary"));
  decisions.forEach((turn) => note(turn, "✓ decision"));
  for (const { id, evidence } of questions) for (const turn of evidence) note(turn, `▸ evidence ${id.split(":").pop()}`);
  return words;
}
