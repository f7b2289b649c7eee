// Runs before the first paint: the theme that was chosen, else the system's.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("fw-theme");
    } catch {
      return null; // storage is refused; the system's theme is used
    }
  };
  const show = () =>
    document.documentElement.setAttribute("data-bs-theme", stored() ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", show);
  addEventListener("storage", show);
  show();
})();
