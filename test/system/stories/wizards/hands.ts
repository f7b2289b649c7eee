import { createRequire } from "node:module";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type Visit, type Visitor, widths } from "../../../support/browser.ts";
import { assert } from "../../../support/index.ts";
import { Client } from "../../../testing/client.ts";
import { assertFit, showTheme, words } from "../../looks.ts";
import type { World } from "../../world.ts";

const password = "demo-password-2026";

/** A visitor who is signed in as this person, on a device of their own. */
export async function visitAs(world: World, login: string, how: Visit = {}): Promise<Visitor> {
  const client = new Client(world.demo.url);
  await client.submit("/users/login", { login, password });
  const visitor = await world.visit({ ...how, stranger: true });
  await visitor.context.addCookies([{ name: "fw_session", value: client.cookie("fw_session")!, url: world.demo.url }]);
  return visitor;
}

/** The step of that name is shown, and nothing is on its way any more. */
export async function onStep(page: Page, label: string): Promise<void> {
  await page.locator("#fw-wizard-step", { hasText: label }).waitFor();
  await page.locator("html:not([aria-busy])").waitFor({ state: "attached" });
}

type Direction = "next" | "back" | "cancel";
export const press = (page: Page, direction: Direction): Promise<void> =>
  page.locator(`.fw-wizard-footer [value=${direction}]`).click();

/** Presses a button of the step, and waits for the step that it leads to. */
export async function go(page: Page, direction: Direction, label: string): Promise<void> {
  await press(page, direction);
  await onStep(page, label);
}

/** Fills fields of the step in, by the names that the wizard gives them. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await field(page, name).fill(value);
}
export const field = (page: Page, name: string): Locator => page.locator(`#wizard_${name}`);

/** What was typed last is kept, as the page says. */
export async function saved(page: Page): Promise<void> {
  await page.locator("[data-saved]", { hasText: "Saved" }).waitFor();
}

/** Follows the link of the last mail to an address. */
export async function openMail(page: Page, to: string): Promise<void> {
  await page.goto("/_fw/mails");
  await page.locator("tr", { hasText: to }).first().getByRole("link").click();
  await page.goto((await page.locator("pre a").first().getAttribute("href"))!);
}

export const flash = (page: Page): Promise<string> => words(page.locator(".fw-flash"));

const looks = [
  ["narrow", "dark"],
  ["wide", "light"],
] as const;

/** Narrow and wide, light and dark: nothing to scroll sideways, and nothing that axe finds. */
export async function look(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize(widths[width]);
    await showTheme(page, colorScheme);
    assert.not.match(await words(page.locator("body")), "{{", `${name} shows a text that was not filled in`);
    await assertFit(page, `wizards-${name}-${width}-${colorScheme}`);
  }
}

interface Connection {
  prepare(sql: string): { get(): { n: unknown } };
  close(): void;
}
const Driver = createRequire(import.meta.url)("libsql") as new (file: string) => Connection;

/** How many runs there are, of whatever wizard and whoever began them: the demo's database knows. */
export function runsOf({ root }: World): number {
  const database = new Driver(join(root, "storage/development.sqlite3"));
  try {
    return Number(database.prepare("select count(*) n from framewright_wizard_runs").get().n);
  } finally {
    database.close();
  }
}
