// Cells of lists that are edited in their place: Escape and "Cancel" bring back what was shown, and the focus returns to the
// link. Without it the link opens a page for the one attribute.
(() => {
  if (window.fwCells) return;
  window.fwCells = true;
  const shown = new WeakMap();
  const cellOf = (target) => target.closest?.("turbo-frame.fw-cell");
  const formOf = (cell) => cell?.querySelector(".fw-cell-form");
  const focusLink = (cell) => cell.querySelector(".fw-cell-edit")?.focus();

  function close(cell) {
    cell.replaceChildren(...shown.get(cell));
    cell.removeAttribute("src");
    focusLink(cell);
  }

  /** Other cells of the row that are open know the version that was saved over: they go on with the new one. */
  function shareVersion(cell, saved) {
    const version = (form) => form.elements.lock_version;
    const before = version(formOf(cell))?.value;
    for (const form of cell.closest("tr").querySelectorAll(".fw-cell-form"))
      if (version(form).value === before) version(form).value = saved;
  }

  /** The totals below the list, as they are with what was saved. */
  function showTotals(cell, frame) {
    const changed = frame.querySelector("template[data-totals]");
    changed?.remove();
    for (const total of changed?.content.children ?? [])
      cell
        .closest("table")
        ?.querySelector(`tfoot [data-total="${CSS.escape(total.dataset.total)}"]`)
        ?.replaceWith(total.cloneNode(true));
  }

  document.addEventListener("turbo:before-frame-render", ({ target, detail }) => {
    if (!target.matches("turbo-frame.fw-cell")) return;
    showTotals(target, detail.newFrame);
    const saved = detail.newFrame.querySelector("[data-version]")?.dataset.version;
    if (saved !== undefined && formOf(target)) shareVersion(target, saved);
    if (!formOf(target)) shown.set(target, [...target.childNodes]);
    if (detail.newFrame.querySelector(".fw-cell-form") === null) target.dataset.saved = "";
  });
  document.addEventListener("turbo:frame-render", ({ target }) => {
    if (!target.matches("turbo-frame.fw-cell[data-saved]")) return;
    target.removeAttribute("data-saved");
    focusLink(target);
  });
  document.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (event.key !== "Escape" || !formOf(cell) || !shown.has(cell)) return;
    event.preventDefault();
    close(cell);
  });
  document.addEventListener(
    "click",
    (event) => {
      const cell = event.target.closest?.("[data-cell-cancel]") && cellOf(event.target);
      if (!cell || !shown.has(cell)) return;
      event.preventDefault();
      event.stopPropagation();
      close(cell);
    },
    true,
  );
})();
