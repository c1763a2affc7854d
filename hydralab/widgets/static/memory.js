// What is remembered: checkpoints and facts, each to be pinned, written anew or forgotten.

function makeMemory({ act, page }) {
  const list = h("ul", { class: "hl-memory-list", "aria-label": "what is remembered" });
  const count = h("span", { class: "hl-muted", "aria-live": "polite" });
  const el = h("section", { class: "hl-memory", "aria-label": "memory" }, h("header", {}, h("h3", {}, "memory"), count), list);
  const nodes = new Map();
  let editing = null;
  let drawn = "";

  // What the hand is on is never built anew: the list waits until an edit is done.
  function draw(items) {
    const told = JSON.stringify(items);
    if (editing || told === drawn) return;
    drawn = told;
    const focused = list.contains(document.activeElement) ? [document.activeElement.closest("li")?.dataset.item, document.activeElement.dataset.act] : null;
    const fresh = items.filter((item) => item.fresh).length;
    const sent = items.filter((item) => item.sent).length;
    count.textContent = `${items.length} remembered${fresh ? ` · ${fresh} new` : ""}${sent ? ` · ${sent} in the last prompt` : ""}`;
    nodes.clear();
    for (const item of items) nodes.set(item.id, itemNode(item));
    list.replaceChildren(...(items.length ? nodes.values() : [note("nothing yet: checkpoints and facts appear here as they form")]));
    if (focused) nodes.get(focused[0])?.querySelector(`[data-act="${focused[1]}"]`)?.focus();
  }

  function itemNode(item) {
    const heading = h("div", { class: "hl-memory-head" },
      h("b", {}, item.kind === "memory" ? item.about : item.kind), h("span", { class: "hl-muted" }, item.place),
      item.pinned ? h("span", { class: "hl-badge" }, "pinned") : null,
      item.sent ? h("span", { class: "hl-badge hl-badge-sent" }, "in the last prompt") : null,
      item.fresh ? h("span", { class: "hl-badge hl-badge-new" }, "new") : null,
      item.status === "ready" ? null : h("span", { class: "hl-badge" }, item.status),
    );
    const text = h("div", { class: "hl-memory-text", dir: "auto" }, item.title ? h("b", {}, `${item.title} `) : null, item.text, item.cut ? ` … ${whole(item.cut)} more characters` : "");
    const node = h("li", { class: `hl-remembered${item.fresh ? " hl-fresh" : ""}`, "data-item": item.id, style: `--hl-part: var(--hl-${item.kind})` }, heading, text);
    if (!page) node.append(actions(item, node, text));
    return node;
  }

  function actions(item, node, text) {
    const name = item.title || item.text.slice(0, 60);
    const make = (what, words, onclick) => h("button", { type: "button", class: "hl-link", "data-act": what, "aria-label": `${words} ${name}`, onclick }, words);
    return h("div", { class: "hl-memory-acts" },
      make("pin", item.pinned ? "unpin" : "pin", () => act({ do: "pin", item: item.id, pinned: !item.pinned })),
      item.cut ? null : make("edit", "edit", () => edit(item, node, text)),
      make("forget", "forget", () => act({ do: "forget", item: item.id })),
    );
  }

  function edit(item, node, text) {
    editing = item.id;
    const area = h("textarea", { rows: 4, "aria-label": `text of ${item.kind}`, dir: "auto", onkeydown: keyed });
    area.value = item.text;
    const done = () => {
      editing = null;
      drawn = "";
      area.replaceWith(text);
      buttons.remove();
    };
    const save = () => {
      const changed = area.value.trim();
      done();
      if (changed && changed !== item.text) act({ do: "edit", item: item.id, text: changed });
    };
    function keyed(event) {
      event.stopPropagation();
      if (event.key === "Escape") done();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    }
    const buttons = h("div", { class: "hl-memory-acts" }, h("button", { type: "button", onclick: save }, "save"), h("button", { type: "button", onclick: done }, "cancel"));
    text.replaceWith(area);
    node.append(buttons);
    area.focus();
  }

  function reveal(id) {
    const node = nodes.get(id);
    if (node) keepInside(list, node);
  }

  return { el, draw, reveal };
}
