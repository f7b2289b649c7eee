import type { Page } from "playwright-core";
import { themes, type Visitor, widths } from "../../support/browser.ts";
import { assert, describe } from "../../support/index.ts";
import { assertFit, assertNarrow, showTheme } from "../looks.ts";
import type { World } from "../world.ts";

async function press(page: Page, what: string, shows: string): Promise<void> {
  await page.click(what);
  await page.locator(shows).waitFor();
}

/** Pages by a name, with what has to be done to see them. */
const pages: Record<string, { path: string; first?: (page: Page) => Promise<unknown> }> = {
  home: { path: "/" },
  missing: { path: "/nowhere" },
  public: { path: "/public" },
  "public-posts": { path: "/public/blogging/posts" },
  "public-post": { path: "/public/blogging/posts/120" },
  customer: { path: "/customer" },
  "customer-switch": { path: "/customer?to=%2Fposts" },
  "customer-organization": { path: "/customer/1" },
  "customer-members": { path: "/customer/1/organization_users" },
  "customer-invitations": { path: "/customer/1/organization_user_invites" },
  "customer-profile": { path: "/customer/1/profile" },
  "customer-settings": { path: "/customer/1/organization" },
  admin: { path: "/admin" },
  "admin-posts": { path: "/admin/blogging/posts" },
  "admin-none-found": { path: "/admin/blogging/posts?q=nothing+like+it" },
  "admin-view": { path: "/admin/blogging/posts?sort=title" },
  "admin-search": { path: "/admin/_search?q=guide" },
  "admin-post": { path: "/admin/blogging/posts/199" },
  "admin-form": { path: "/admin/blogging/posts/199/edit" },
  "admin-errors": {
    path: "/admin/blogging/posts/new",
    first: (page) => press(page, "main form button.btn-primary", ".fw-error-summary"),
  },
  "admin-confirm": {
    path: "/admin/blogging/posts/199",
    first: async (page) => {
      await openActions(page);
      await press(page, "main a.fw-action-danger", "[data-confirmation]");
    },
  },
};

function openActions(page: Page): Promise<void> {
  return press(page, ".fw-more-actions > summary", ".fw-more-actions .fw-dropdown-item");
}
const isAdmin = ([name]: [string, unknown]) => name.startsWith("admin");
const places = {
  "Every page for guests and customers": Object.entries(pages).filter((page) => !isAdmin(page)),
  "Every page for administrators": Object.entries(pages).filter(isAdmin),
};

export function tellPages(world: () => World, reason: string | undefined): void {
  describe("The pages of the demo", (it) => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const [place, some] of Object.entries(places))
        it.unless(reason, `${place} fits a ${width} screen, and axe finds nothing in either theme`, async () => {
          const [loaded, changed] = width === "wide" ? themes : (["dark", "light"] as const);
          const visitor = await world().visit({ width, theme: loaded });
          for (const [name, { path, first }] of some) {
            await visitor.page.emulateMedia({ colorScheme: loaded });
            await visitor.page.goto(path);
            await first?.(visitor.page);
            await assertFit(visitor.page, `${name}-${width}-${loaded}`);
            await showTheme(visitor.page, changed);
            await assertFit(visitor.page, `${name}-${width}-${changed}`);
          }
          await finish(visitor);
        });
    it.unless(reason, "The page of a sign-in names the portal that it is for", async () => {
      const page = await (await fetch(`${world().demo.url}/admins/login`)).text();
      assert.match(page, '<p class="fw-authlib-place">Admin</p>');
    });
    it.unless(reason, "Every page fits a narrow screen without JavaScript", async () => {
      const visitor = await world().visit({ width: "narrow", theme: "dark", script: false });
      for (const [name, { path, first }] of Object.entries(pages)) {
        await visitor.page.emulateMedia({ colorScheme: "dark" });
        await visitor.page.goto(path);
        await first?.(visitor.page);
        for (const colorScheme of themes.toReversed()) {
          await visitor.page.emulateMedia({ colorScheme });
          await assertNarrow(visitor.page, `${name}-no-script-${colorScheme}`);
        }
      }
      await finish(visitor);
    });
  });
}

/** The visit is over, and the browser had nothing to complain about. */
export async function finish({ context, problems }: Visitor): Promise<void> {
  await context.close();
  assert.equal(problems, []);
}
