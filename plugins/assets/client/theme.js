// Runs before the first paint: applies the chosen theme, else the system's.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("fw-theme");
    } catch {
      return null; // storage is blocked: use the system's theme
    }
  };
  const show = () =>
    document.documentElement.setAttribute("data-bs-theme", stored() ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", show);
  addEventListener("storage", show);
  show();
})();
