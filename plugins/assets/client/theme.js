// Runs before the first paint: applies the chosen theme, else the system's, and what the person chose of the sidebar.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage is blocked: use the system's theme, and the sidebar as it is sent
    }
  };
  const show = () => {
    root.setAttribute("data-bs-theme", stored("fw-theme") ?? (dark.matches ? "dark" : "light"));
    root.toggleAttribute("data-narrow", stored("fw-sidebar") === "narrow");
  };

  /** Closes the groups of the sidebar that the person closed; their headings are kept, one a line. */
  function closeGroups(within) {
    const closed = stored("fw-closed-groups")?.split("\n");
    if (!closed) return;
    for (const heading of within.querySelectorAll("details.fw-nav-group[open] > summary"))
      if (closed.includes(heading.textContent.trim())) heading.parentElement.open = false;
  }
  if (stored("fw-closed-groups")) {
    const watch = new MutationObserver(() => closeGroups(document));
    watch.observe(root, { childList: true, subtree: true });
    addEventListener("DOMContentLoaded", () => watch.disconnect());
  }
  document.addEventListener("turbo:before-render", (event) => closeGroups(event.detail.newBody));
  dark.addEventListener("change", show);
  addEventListener("storage", show);
  show();
})();
