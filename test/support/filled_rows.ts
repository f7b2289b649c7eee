/** The page as its script leaves it: the usual actions, which a table has once, in each of its rows. */
export function filledRows(page: string): string {
  const tables = page.split(/(?=<template data-row-actions=)/);
  return tables.map((part) => (part.startsWith("<template") ? filledTable(part) : part)).join("");
}

function filledTable(part: string): string {
  const [, keys = "", markup = ""] = /^<template data-row-actions="([^"]*)">(.*?)<\/template>/s.exec(part)!;
  const actions = markup.split(/(?<=<\/a>)/);
  return part.replace(/<tr>.*?<\/tr>/gs, (row) => {
    const [, href, text] = /class="fw-row-link" href="([^"?]*)[^"]*">(.*?)<\/a>/s.exec(row) ?? [];
    const [whole, attributes = "", own = ""] = /<td class="fw-row-actions"([^>]*)>(.*?)<\/td>/s.exec(row) ?? [];
    if (href === undefined || whole === undefined || attributes.includes("data-full")) return row;
    const without = /data-without="([^"]*)"/.exec(attributes)?.[1]?.split(" ") ?? [];
    const name = /data-name="([^"]*)"/.exec(attributes)?.[1] ?? text!;
    const usual = keys.split(" ").map((key, at) => {
      const action = without.includes(key) ? "" : actions[at]!;
      return action.replaceAll("{url}", () => href).replaceAll("{name}", () => name);
    });
    return row.replace(whole, () => `<td class="fw-row-actions">${usual.join("")}${own}</td>`);
  });
}
