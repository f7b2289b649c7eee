// Shows passwords on demand, and copies codes; the pages work without it.
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  const fieldOf = (button) => button.parentElement.querySelector("input");

  function reveal(button, shown) {
    fieldOf(button).type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  }
  async function copy(button) {
    await navigator.clipboard.writeText(button.dataset.copy);
    const before = button.innerHTML;
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.innerHTML = before;
    }, 2000);
  }
  function settle() {
    for (const button of all("[data-reveal][hidden]")) button.hidden = false;
    if (document.querySelector(".fw-authlib-gate")) globalThis.Turbo?.cache.clear(); // Back must not show pages of a signed-out account
    if (navigator.clipboard) for (const button of all("[data-copy][hidden]")) button.hidden = false;
  }
  const hideAll = () => {
    for (const button of all("[data-reveal][aria-pressed=true]")) reveal(button, false);
  };

  const root = document.documentElement;
  if (root.dataset.authlib) return settle(); // loaded again by Turbo
  root.dataset.authlib = "on";
  document.addEventListener("click", (event) => {
    const secret = event.target.closest?.("[data-reveal]");
    if (secret) reveal(secret, secret.getAttribute("aria-pressed") !== "true");
    const copied = event.target.closest?.("[data-copy]");
    if (copied) copy(copied);
  });
  document.addEventListener("submit", hideAll, true); // browsers would store visible passwords as form history
  document.addEventListener("turbo:before-cache", hideAll);
  for (const moment of ["turbo:load", "turbo:render"]) document.addEventListener(moment, settle);
  settle();
})();
