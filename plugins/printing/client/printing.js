// The button that opens the browser's dialog for printing; without scripts its menu has the same.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
