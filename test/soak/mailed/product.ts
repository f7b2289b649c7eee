import type { Page } from "playwright-core";
import { type Visitor, widths } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { fill, send } from "../../system/accounts/hands.ts";
import { arrive } from "../../system/looks.ts";
import type { Inbox } from "./inbox.ts";
import { look, lookAtMail, textOf } from "./people.ts";
import type { Story } from "./thief.ts";

const PASSWORD = "seven quiet lanterns";

/** Words of one telling: the same story is told with JavaScript and without, to other people. */
export interface Telling {
  readonly script: boolean;
  /** What is in the name of each person and organization. */
  readonly mark: string;
}

/** People of a product sign up, found an organization, invite each other, hand it over and leave. */
export function tellProduct(can: Story, { script, mark }: Telling): void {
  const how = script ? "with JavaScript" : "without JavaScript";
  const [ADA, BEN, CLEO] = ["ada", "ben", "cleo"].map((name) => `${name}.${mark}@example.test`) as [
    string,
    string,
    string,
  ];
  const [ALDER, BIRCH] = [`Alder ${mark}`, `Birch ${mark}`];
  let ada: Visitor;
  let ben: Visitor;
  let cleo: Visitor;
  /** The address of Alder's portal. */
  let alder = "";
  const seen = async (page: Page, name: string) => {
    if (!script) return;
    await look(page, `product-${name}`);
    await page.setViewportSize(widths.wide);
  };

  can(`Somebody signs up by a mailed link and creates an organization, ${how}`, async ({ inbox, visit }) => {
    ada = await visit({ script });
    const { page } = ada;
    await page.goto("/dashboard");
    await arrive(page, /customers\/login/);
    await page.getByRole("link", { name: "Create an account" }).click();
    await arrive(page, /create-account/);
    await signUpHere(page, ADA, inbox);
    await arrive(page, /\/welcome$/);
    await seen(page, "welcome");
    alder = await found(page, ALDER);
    assert.match(await page.locator(".fw-brand-place").first().innerText(), ALDER);
    await seen(page, "dashboard");
  });

  can(
    `An owner invites two people by mail, and one without an account signs up and joins, ${how}`,
    async ({ inbox, visit }) => {
      const { page } = ada;
      ben = await visit({ script });
      await signUpFrom(ben.page, BEN, inbox);
      await found(ben.page, BIRCH);
      await invite(page, alder, CLEO, "admin");
      await invite(page, alder, BEN, "member");
      await seen(page, "invitations");
      const [toCleo] = await inbox.expect([CLEO, `You are invited to ${ALDER}`], [BEN, `You are invited to ${ALDER}`]);
      assert.match(toCleo!.text, ADA);
      if (script) await lookAtMail(ada, toCleo!, "invitation");
      cleo = await visit({ script });
      await cleo.page.goto(toCleo!.link);
      await seen(cleo.page, "invited");
      await cleo.page.getByRole("link", { name: "Create an account to accept it" }).click();
      await arrive(cleo.page, /create-account/);
      await seen(cleo.page, "invited-sign-up");
      await fill(cleo.page, { password: PASSWORD, password_confirmation: PASSWORD });
      await send(cleo.page);
      await cleo.page.getByRole("button", { name: "Join" }).click();
      await arrive(cleo.page, new RegExp(`${alder}$`));
      await inbox.expect();
      await cleo.page.goto(toCleo!.link);
      assert.is(new URL(cleo.page.url()).pathname, alder, "whoever accepted it comes to the organization again");
      const guest = await visit({ script });
      await guest.page.goto(toCleo!.link);
      assert.match(await textOf(guest.page), "can't be used");
      await guest.context.close();
    },
  );

  can(
    `Somebody with an account finds the invitation waiting, joins, and switches between organizations, ${how}`,
    async ({ inbox }) => {
      const { page } = ben;
      await page.goto("/welcome");
      assert.match(await textOf(page), ALDER);
      await seen(page, "waiting");
      await page.getByRole("button", { name: "Join" }).click();
      await arrive(page, new RegExp(`${alder}$`));
      await navigate(page, "Members");
      await arrive(page, /organization_customers$/);
      await page.goto((await page.locator("a.fw-brand-choose").first().getAttribute("href"))!);
      await arrive(page, /\/dashboard\?/);
      await seen(page, "switch");
      await page.locator("main").getByRole("link", { name: BIRCH }).click();
      await arrive(page, /\/dashboard\/\d+\/organization_customers$/);
      assert.match(await page.locator(".fw-brand-place").first().innerText(), BIRCH);
      assert.match(await textOf(page), BEN);
      assert.not.match(await textOf(page), ADA);
      await inbox.expect();
    },
  );

  can(`An admin changes the role of a member and not of the owner, ${how}`, async () => {
    const { page } = cleo;
    await openMembers(page, alder);
    await seen(page, "members");
    assert.is(await page.getByRole("link", { name: `Change role: ${ADA}` }).count(), 0);
    await page.getByRole("link", { name: `Change role: ${BEN}` }).click();
    const role = page.locator("[name='interaction[role]']");
    assert.not.match(await role.innerText(), "Owner");
    await role.selectOption("admin");
    await act(page, "Change role");
    await page.locator(".fw-flash-success").waitFor();
    await openMembers(page, alder);
    assert.match(await rowOf(page, BEN), "Admin");
  });

  can(`The last owner can't leave, hands the organization over, and leaves, ${how}`, async () => {
    const { page } = ada;
    await openMembers(page, alder);
    await choose(page, "Leave", ADA);
    await page.getByRole("heading", { name: "Somebody has to be the owner" }).waitFor();
    await openMembers(page, alder);
    await page.getByRole("link", { name: `Transfer ownership: ${CLEO}` }).click();
    await arrive(page, /confirm-identity/);
    await seen(page, "confirm");
    await fill(page, { password: PASSWORD });
    await send(page);
    await arrive(page, /transfer_ownership$/);
    await act(page, "Transfer ownership");
    await page.locator(".fw-flash-success").waitFor();
    await openMembers(page, alder);
    assert.match(await rowOf(page, CLEO), "Owner");
    assert.match(await rowOf(page, ADA), "Admin");
    await choose(page, "Leave", ADA);
    await page.waitForURL((url) => !url.pathname.startsWith(`${alder}/`));
    const { status } = await statusOf(page, alder);
    assert.is(status, 404);
    await page.goto("/dashboard");
    await arrive(page, /\/welcome$/);
  });

  can(`Nobody else's organization opens, and no page had an error, ${how}`, async ({ inbox }) => {
    for (const path of [alder, `${alder}/organization_customers`, `${alder}/organization_customer_invites`])
      assert.is((await statusOf(ada.page, path)).status, 404);
    await inbox.expect();
    for (const { problems, context } of [ada, ben, cleo]) {
      assert.equal(problems, []);
      await context.close();
    }
  });
}

async function signUpHere(page: Page, login: string, inbox: Inbox): Promise<void> {
  await fill(page, { login, password: PASSWORD, password_confirmation: PASSWORD });
  await send(page);
  await arrive(page, /mailed/);
  const [mail] = await inbox.expect([login, "Verify your address"]);
  await page.goto(mail!.link);
  await send(page, "Verify and sign in");
}
async function signUpFrom(page: Page, login: string, inbox: Inbox): Promise<void> {
  await page.goto("/customers/create-account");
  await signUpHere(page, login, inbox);
  await arrive(page, /\/welcome$/);
}

/** Creates an organization on the welcome page; gives the address of its portal. */
async function found(page: Page, name: string): Promise<string> {
  await page.locator("main [name='tenant[name]']").fill(name);
  await page.getByRole("button", { name: "Create organization" }).click();
  await arrive(page, /\/dashboard\/\d+$/);
  return new URL(page.url()).pathname;
}

const navigate = (page: Page, name: string) =>
  page.locator(".fw-sidebar").getByRole("link", { name, exact: true }).click();

async function openMembers(page: Page, portal: string): Promise<void> {
  await page.goto(portal);
  await navigate(page, "Members");
  await arrive(page, /organization_customers$/);
}

async function invite(page: Page, portal: string, email: string, role: string): Promise<void> {
  await page.goto(portal);
  await navigate(page, "Invitations");
  await arrive(page, /invites$/);
  await page.locator("main").getByRole("link", { name: "Invite", exact: true }).click();
  await page.locator("[name='interaction[email]']").fill(email);
  await page.locator("[name='interaction[role]']").selectOption(role);
  await act(page, "Invite");
  await page.locator(".fw-flash-success").waitFor();
}

/** Presses the button that carries an action out, in the page or in the dialog over it. */
const act = (page: Page, name: string) =>
  page.locator("main, dialog[open]").getByRole("button", { name, exact: true }).last().click();

/** An action of a member's row, confirmed. */
async function choose(page: Page, action: string, login: string): Promise<void> {
  await page.getByRole("link", { name: `${action}: ${login}` }).click();
  await act(page, action);
}

const rowOf = async (page: Page, login: string): Promise<string> => page.locator("tr", { hasText: login }).innerText();

/** The status that a page is answered with, asked for with the cookies of its browser. */
async function statusOf(page: Page, path: string): Promise<{ status: number }> {
  const answer = await page.context().request.get(path, { maxRedirects: 0 });
  return { status: answer.status() };
}
