// A slider with its value beside it.

// `oninput` gets the value, and whether the hand has been on the slider since an earlier one.
function slideRow({ label, value, low, high, step, oninput, words = {}, disabled = false }) {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const input = h("input", { type: "range", min: low, max: high, step, value, disabled, "aria-label": label });
  const spoken = (number) => words[number] ?? fixed(number, digits);
  const shown = h("output", {}, spoken(value));
  let moved = false;
  input.addEventListener("input", () => {
    shown.textContent = spoken(input.value);
    oninput(Number(input.value), moved);
    moved = true;
  });
  input.addEventListener("change", () => {
    moved = false;
  });
  const row = h("span", { class: "hl-slide" }, input, shown);
  row.show = (number) => {
    input.value = number;
    shown.textContent = spoken(number);
  };
  return row;
}
