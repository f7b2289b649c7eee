import { openBrowser, visit } from "/work/main/test/support/browser.ts";
const base = process.env.BASE ?? "http://127.0.0.1:3100";
const only = process.argv[2]?.split(",");
const sizes = (process.env.SIZES ?? "wide-light,narrow-light,wide-dark,narrow-dark").split(",");
const pages: Record<string,string> = { home: "/", admin: "/admin", posts: "/admin/blogging/posts", post: "/admin/blogging/posts/150", newpost: "/admin/blogging/posts/new", edit: "/admin/blogging/posts/150/edit", empty: "/admin/blogging/posts?q=zzzz", orgs: "/admin/organizations", org: "/admin/organizations/1", missing: "/nowhere", adminmissing: "/admin/nowhere", public: "/public", publicposts: "/public/blogging/posts", publicpost: "/public/blogging/posts/150", customer: "/customer", customer1: "/customer/1", customerposts: "/customer/1/blogging/posts", comments: "/admin/blogging/comments", member: "/customer/1/memberships" };
const browser = await openBrowser();
for (const s of sizes) { const [width, theme] = s.split("-") as any;
 const v = await visit(browser, base, { width, theme });
 for (const [n, p] of Object.entries(pages)) { if (only && !only.includes(n)) continue; await v.page.goto(p); await v.page.screenshot({ path: `/tmp/dm/shots/${n}-${s}.png`, fullPage: true }); const w = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth); if (w > 0) console.log(n, s, "overflow", w); }
 for (const p of v.problems) console.log(p);
 await v.context.close(); }
await browser.close();
