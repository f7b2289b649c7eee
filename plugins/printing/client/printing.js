// The button that opens the browser's dialog for printing; without scripts its menu has the same.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
for (const picture of document.querySelectorAll('img[loading="lazy"]')) picture.loading = "eager"; // paper has no scrolling
