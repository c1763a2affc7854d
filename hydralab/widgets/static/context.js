// What the model saw: the budget as a bar, and behind tabs the items, the messages, what changed, what was lost.

function makeContext({ ask, onturn, onquestion, tabs: names = ["items", "prompt", "diff", "misses"] }) {
  const heading = h("h3", {});
  const chooser = h("span", { class: "hl-chooser" });
  const budget = h("div", { class: "hl-budget" });
  const body = h("div", { class: "hl-panel", role: "tabpanel", tabindex: 0 });
  const evidence = h("div", { class: "hl-evidence" });
  let tab = "items";
  let moment = { items: [], parts: [], asked: [], scores: [] };
  const tabs = names.map((name) =>
    h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => open(name), onkeydown: turnTabs }, name),
  );
  const el = h(
    "section",
    { class: "hl-prompt", "aria-label": "prompt" },
    h("header", {}, heading, chooser), budget,
    h("div", { class: "hl-tabs", role: "tablist", "aria-label": "views of the prompt" }, tabs), body, evidence,
  );

  function open(name) {
    tab = name;
    drawTab();
  }

  // One tab can be reached by the Tab key; the arrow keys go from tab to tab.
  function turnTabs(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    open(names[(names.indexOf(tab) + step + names.length) % names.length]);
    tabs[names.indexOf(tab)].focus();
  }

  async function drawTab() {
    for (const each of tabs) {
      each.setAttribute("aria-selected", String(each.dataset.tab === tab));
      each.tabIndex = each.dataset.tab === tab ? 0 : -1;
    }
    body.setAttribute("aria-label", tab);
    const wanted = tab;
    const shown = moment;
    if (moment.reason && tab !== "misses") body.replaceChildren(note(moment.reason));
    else if (tab === "items") body.replaceChildren(itemsTable(moment, onturn, body));
    else {
      const answer = await ask(tab);
      if (wanted !== tab || shown !== moment) return;
      if (!answer) {
        body.replaceChildren(note("this could not be shown: the reason is above"));
        return;
      }
      body.replaceChildren({ prompt: promptView, diff: diffView, misses: missesView }[tab](answer));
    }
  }

  function missesView({ rows }) {
    if (!rows.length) return note("no gold questions with evidence");
    const lost = rows.filter(({ stage }) => stage !== "met").length;
    const lines = rows.map((row) =>
      h(
        "tr",
        { class: row.stage === "met" ? "hl-met" : "hl-lost", onclick: () => onquestion(row.question_id) },
        h("td", {}, h("button", { type: "button", class: "hl-link", dir: "auto", title: row.text }, row.question_id.split(":").pop())),
        h("td", { dir: "auto" }, row.text), h("td", { class: "hl-n" }, row.turn ?? "–"),
        h("td", {}, verdict(row.stage)), h("td", { class: "hl-n" }, row.rank ?? "–"), h("td", { dir: "auto" }, row.detail ?? ""),
      ),
    );
    const head = ["", "gold question", "turn", "evidence", "rank", ""].map((name, column) => h("th", column === 2 || column === 4 ? { class: "hl-n" } : {}, name));
    return h("div", {}, h("p", { class: "hl-muted" }, `${lost} of ${rows.length} evidence turns lost`), h("table", { class: "hl-misses" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, lines)));
  }

  function drawChooser() {
    const options = [["", "the turn"], ...moment.asked.map(({ id }) => [id, `gold ${id.split(":").pop()}`])];
    const buttons = options.map(([id, name]) =>
      h("button", { type: "button", "aria-pressed": String(id === (moment.question ?? "")), onclick: () => onquestion(id) }, name),
    );
    chooser.replaceChildren(...(onquestion && moment.asked.length ? buttons : []));
  }

  return {
    el,
    draw(next) {
      moment = next;
      heading.textContent = next.heading ?? "";
      drawChooser();
      budget.replaceChildren(...(next.parts.length ? budgetNodes(next) : []));
      evidence.replaceChildren(...next.asked.map((each) => evidenceNode(each, onturn)));
      drawTab();
    },
    stale: (on) => el.classList.toggle("hl-stale", on),
  };
}

function budgetNodes({ parts, tokens, budget }) {
  const colour = (name) => `--hl-part: var(--hl-${name}, transparent)`;
  const bar = parts.map(([name, count]) =>
    h("span", { class: `hl-part hl-part-${name}`, style: `${colour(name)}; flex-grow: ${count}`, title: `${name} ${whole(count)} tokens` }),
  );
  const key = parts.map(([name, count]) => h("span", {}, h("i", { class: `hl-part-${name}`, style: colour(name) }), `${name} `, h("b", {}, whole(count))));
  const spoken = parts.map(([name, count]) => `${name} ${count}`).join(", ");
  return [
    h("div", { class: "hl-total" }, h("b", {}, whole(tokens)), ` / ${whole(budget)} tokens`),
    h("div", { class: "hl-bar", role: "img", "aria-label": `budget: ${spoken}` }, bar),
    h("div", { class: "hl-key" }, key),
  ];
}

function itemsTable({ items, scores, unlisted }, onturn, list = null) {
  if (!items.length) return note("nothing was sent");
  const head = h("tr", {}, h("th", {}, "section"), h("th", {}, "what"), ...["tokens", ...scores].map((name) => h("th", { class: "hl-n" }, name)));
  const row = (item) => () => itemBody(item, scores, onturn);
  const kept = items.filter((item) => item.kept).map(row);
  const dropped = items.filter((item) => !item.kept).map(row);
  const count = dropped.length + (unlisted ?? 0);
  const divider = dropped.length
    ? [() => h("tbody", { class: "hl-divider" }, h("tr", {}, h("td", { colspan: 3 + scores.length }, `dropped · ${whole(count)}${unlisted ? `, the first ${dropped.length} shown` : ""}`)))]
    : [];
  const columns = h("colgroup", {}, ["hl-c-section", "", "hl-c-tokens", ...scores.map(() => "hl-c-score")].map((name) => h("col", { class: name })));
  const table = h("table", { class: "hl-items" }, columns, h("thead", {}, head));
  grow(table, [...kept, ...divider, ...dropped], list);
  return table;
}

function itemBody(item, scores, onturn) {
  const text = h("div", { class: "hl-item-text", dir: "auto" }, item.text, item.cut ? ` … ${whole(item.cut)} more characters` : "");
  const label = h("button", { type: "button", class: "hl-unfold", "aria-expanded": "false", onclick: toggle }, item.label.replaceAll("-", "\u2011"));
  const jump = item.turn === null || item.section === "recent" ? null : h("button", { type: "button", class: "hl-link hl-jump", title: `show turn ${item.turn}`, "aria-label": `show turn ${item.turn}`, onclick: () => onturn(item.turn) }, "↗");
  const section = h("td", { class: "hl-section", rowspan: 2 }, h("i", {}), item.section);
  const tokens = h("td", { class: "hl-n" }, item.kept ? whole(item.tokens) : h("s", {}, whole(item.tokens)));
  const cells = scores.map((name) => scoreCell(item.scores[name]));
  const below = h("td", { class: "hl-below", colspan: 2 + scores.length }, text, item.why ? h("div", { class: "hl-why", dir: "auto" }, item.why) : null, allScores(item.scores));
  const body = h(
    "tbody",
    { class: `hl-item${item.kept ? "" : " hl-dropped"}`, style: `--hl-part: var(--hl-${item.section})` },
    h("tr", {}, section, h("td", {}, h("div", { class: "hl-label" }, label, jump)), tokens, cells), h("tr", {}, below),
  );
  function toggle() {
    const open = body.classList.toggle("hl-open");
    label.setAttribute("aria-expanded", String(open));
  }
  return body;
}

// Every score of the item, shown while it is unfolded; the columns have room for a few.
function allScores(scores) {
  const each = Object.entries(scores).map(([name, value]) => h("span", {}, `${name.replace("_", " ")} `, h("b", {}, score(value))));
  return each.length ? h("div", { class: "hl-all-scores" }, each) : null;
}

function scoreCell(value) {
  if (value === undefined) return h("td", { class: "hl-n" });
  const share = Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return h("td", { class: `hl-n${share ? " hl-score" : ""}`, style: `--hl-share: ${share}%` }, score(value));
}

function promptView({ messages }) {
  if (!messages.length) return note("nothing was sent");
  return h("div", { class: "hl-messages" }, messages.map(({ role, text, cut }) =>
    h("div", { class: "hl-message" }, h("b", {}, role), h("pre", { dir: "auto" }, text), cut ? h("i", {}, `${whole(cut)} more characters`) : null),
  ));
}

function diffView({ lines, before }) {
  if (before === null) return note("this is the first prompt");
  if (!lines.some(([sign]) => sign === "+" || sign === "-")) return note(`the same prompt as at turn ${before}`);
  const kinds = { "+": "hl-new", "-": "hl-gone", "…": "hl-run", " ": "hl-same" };
  return h("div", {}, h("p", { class: "hl-muted" }, `against the prompt of turn ${before}`), h("pre", { class: "hl-diff" }, lines.map(([sign, text]) =>
    h("span", { class: kinds[sign], dir: "auto" }, `${sign} ${text}\n`),
  )));
}

function evidenceNode({ id, text, answer, evidence }, onturn) {
  const turns = evidence.map(({ turn, stage, detail }) =>
    h("button", { type: "button", class: `hl-link ${stage === "met" ? "hl-met" : "hl-lost"}`, title: detail, onclick: () => turn !== null && onturn(turn) }, `turn ${turn ?? "?"} `, verdict(stage)),
  );
  return h(
    "div",
    { class: "hl-question" },
    h("div", {}, h("span", { class: "hl-gold-mark", "aria-hidden": "true" }, "◆ "), h("span", { class: "hl-muted" }, `gold ${id.split(":").pop()} `), h("span", { dir: "auto" }, text)),
    h("div", {}, answer ? h("span", { class: "hl-muted", dir: "auto" }, `gold answer: ${answer} `) : null, turns.length ? turns : h("span", { class: "hl-muted" }, "no evidence is named")),
  );
}

function verdict(stage) {
  return h("span", { class: "hl-verdict" }, stage === "met" ? "✔ verbatim" : `✘ ${stage}`);
}

function note(text) {
  return h("p", { class: "hl-note", dir: "auto" }, text);
}
