/** A small application without a database, for the tests that attack the host itself. */
export const attackedFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { sessions } from "framewright/plugins/sessions"; export default definePlugins([sessions()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    export default drawRoutes((routes) => {
      routes.get("pages/:id", { to: "pages#show" });
      routes.get("pages/:id/edit", { to: "pages#edit" });
      routes.get("tokens", { to: "pages#tokens" });
      routes.get("count", { to: "pages#count" });
      routes.get("flash", { to: "pages#flash_it" });
      routes.get("shown", { to: "pages#shown" });
      routes.get("large", { to: "pages#large" });
      routes.get("fill", { to: "pages#fill" });
      routes.get("id", { to: "pages#session_id" });
      routes.get("plain", { to: "pages#plain" });
      routes.get("go", { to: "pages#go" });
      routes.post("pages", { to: "pages#create" });
      routes.put("pages/:id", { to: "pages#change" });
      routes.patch("pages/:id", { to: "pages#change" });
      routes.delete("pages/:id", { to: "pages#change" });
    });`,
  "app/controllers/pages_controller.ts": `import { BaseController, formToken, headerToken } from "framewright/host";
    let changes = 0;
    export default class PagesController extends BaseController { static override guests = "admit" as const;
      show() { return this.json({ id: this.params.string("id"), ...this.params.toObject() }); }
      edit() { return this.json({ edit: this.params.string("id") }); }
      plain() { return this.json({ plain: true }); }
      count() { return this.json({ changes }); }
      create() {
        changes++;
        const page = this.params.nested("page");
        return this.json({ page: page.toObject(), title: page.string("title") ?? null, polluted: ({} as Record<string, unknown>).polluted ?? null }, { status: 201 });
      }
      change() { changes++; return this.json({ changed: this.params.string("id"), verb: this.request.method }); }
      tokens() {
        const form = (verb: string, path: string) => formToken(this.session, verb, path);
        return this.json({ create: form("POST", "/pages"), update: form("PATCH", "/pages/1"), other: form("PATCH", "/pages/2"), destroy: form("DELETE", "/pages/1"), header: headerToken(this.session) });
      }
      flash_it() { this.flash.add("success", "Shown once"); return this.redirectTo("/shown"); }
      shown() { return this.json({ flash: this.flash.take() }); }
      large() { return this.json({ large: "x".repeat(Number(this.params.string("bytes") ?? 5_000_000)) }); }
      fill() { this.session.set("filled", "x".repeat(Number(this.params.string("bytes")))); return this.json({ filled: true }); }
      session_id() { this.session.set("visited", true); return this.json({ id: this.session.id }); }
      go() { return this.redirectTo(this.request.safeLocation(this.params.get("return_to"), ["/wizards"]) ?? "/plain"); }
    }`,
};
