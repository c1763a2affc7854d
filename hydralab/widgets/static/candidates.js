// The candidates of a query as a table that sorts by any score, with a bar a score and what became of each.

function makeCandidates() {
  const el = h("section", { class: "hl-candidates", "aria-label": "candidates", tabindex: 0 });
  let rows = [];
  let columns = [];
  let sorted = { by: "rank", down: false };
  let grown = { count: 0 };

  const valueOf = (row, by) => (by === "rank" || by === "tokens" || by === "score" ? row[by] : row.scores[by]);

  function sortBy(by) {
    sorted = { by, down: sorted.by === by ? !sorted.down : by !== "rank" };
    drawTable();
  }

  function headCell(by, words, shown = by) {
    const state = sorted.by === by ? (sorted.down ? "descending" : "ascending") : "none";
    const arrow = { descending: "▾", ascending: "▴", none: "" }[state];
    return h("th", { class: "hl-n", "aria-sort": state, scope: "col" }, h("button", { type: "button", title: words, "data-by": by, onclick: () => sortBy(by) }, h("span", {}, shown), h("i", { "aria-hidden": "true" }, arrow)));
  }

  function drawTable() {
    const order = [...rows].sort((a, b) => (valueOf(a, sorted.by) - valueOf(b, sorted.by)) * (sorted.down ? -1 : 1) || a.rank - b.rank);
    const head = h("tr", {}, headCell("rank", "place among the candidates", "#"), headCell("tokens", "tokens of its text"), headCell("score", "the blend"), columns.map(([name, words]) => headCell(name, words, name.replace("_", " "))));
    const widths = ["hl-c-rank", "hl-c-tokens", ...["score", ...columns].map(() => "")].map((name) => h("col", { class: name }));
    const focused = el.contains(document.activeElement) ? document.activeElement.dataset.by : null;
    const top = el.scrollTop;
    const table = h("table", {}, h("colgroup", {}, widths), h("thead", {}, head));
    grown = grow(table, order.map((row) => () => candidateBody(row, columns)), el, top ? grown.count : 0);
    el.replaceChildren(rows.length ? table : h("p", { class: "hl-note" }, "nothing was recalled"));
    if (top) el.scrollTop = top;
    if (focused) el.querySelector(`[data-by="${focused}"]`)?.focus();
  }

  return {
    el,
    // Columns that no weight looks at, or that are 0 throughout, say nothing of the order and are left out.
    draw({ candidates, columns: meanings, sliders }) {
      rows = candidates;
      columns = Object.entries(meanings).filter(([name]) => sliders.weights[name] && rows.some((row) => row.scores[name]));
      if (!columns.some(([name]) => name === sorted.by) && !["rank", "tokens", "score"].includes(sorted.by)) sorted = { by: "rank", down: false };
      drawTable();
    },
    reveal(turn) {
      if (rows.some((row) => row.turn === turn)) grown.all();
      const body = el.querySelector(`[data-turn="${turn}"]`);
      if (!body) return;
      if (!body.classList.contains("hl-open")) body.querySelector(".hl-unfold").click();
      keepInside(el, body);
      body.querySelector(".hl-unfold").focus({ preventScroll: true });
    },
  };
}

function candidateBody(row, columns) {
  const label = h("button", { type: "button", class: "hl-unfold", "aria-expanded": "false", onclick: toggle }, row.label);
  const gold = row.gold.length ? h("span", { class: row.gold.includes("met") ? "hl-met" : "hl-lost", title: "evidence of the gold question" }, h("span", { class: "hl-gold-mark", "aria-hidden": "true" }, " ◆ "), h("span", { class: "hl-verdict" }, row.gold.includes("met") ? "evidence met" : `evidence ${row.gold[0]}`)) : null;
  const cells = ["score", ...columns.map(([name]) => name)].map((name) => scoreCell(name === "score" ? row.score : row.scores[name]));
  const fate = h("span", { class: row.kept ? "hl-kept" : "hl-muted", dir: "auto" }, row.kept ? "✔ in the prompt" : row.fate || "not offered to the prompt");
  const text = h("div", { class: "hl-item-text", dir: "auto" }, row.text, row.cut ? ` … ${whole(row.cut)} more characters` : "");
  const body = h(
    "tbody",
    { class: `hl-item${row.kept ? "" : " hl-dropped"}`, style: `--hl-part: var(--hl-${SECTION_OF[row.kind] ?? "recalled"})`, ...(row.kind === "turn" ? { "data-turn": row.turn } : {}) },
    h("tr", {}, h("td", { class: "hl-n", rowspan: 2 }, String(row.rank)), h("td", { class: "hl-said", colspan: 2 + columns.length }, h("div", { class: "hl-label" }, h("i", { class: "hl-dot" }), label, gold, h("span", { class: "hl-fate" }, fate)), text)),
    h("tr", {}, h("td", { class: "hl-n" }, whole(row.tokens)), cells),
  );
  function toggle() {
    label.setAttribute("aria-expanded", String(body.classList.toggle("hl-open")));
  }
  return body;
}

const SECTION_OF = { turn: "recalled", round: "recalled", checkpoint: "checkpoint", memory: "memory" };
