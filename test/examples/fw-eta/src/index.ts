import { join } from "node:path";
import { SafeHtml } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { ViewRequest, Views } from "framewright/plugins/views";
import { EtaTemplates } from "./templates.ts";

/** Views in Eta: `app/views/posts/index.eta` is rendered where there is no `posts/index.liquid` of a name before it. */
export const eta = definePlugin({
  name: "fw-eta",
  directory: join(import.meta.dirname, ".."),
  decorates: "views",
  apply({ services: { views }, settings, hooks }): Views {
    const templates = new EtaTemplates({ cache: settings.env === "production" });
    if (settings.root !== undefined)
      templates.addRoot({ directory: join(settings.root, "app/views"), rank: "application" });
    hooks.kernel?.contribute.tap("fw-eta", (contribution) => {
      const directory = contribution.folder("views");
      if (directory !== undefined) templates.addRoot({ directory, rank: "plugin" });
    });
    const pageOf = ({ portal, names }: ViewRequest): string | undefined => {
      const name = names.find((one) => templates.find(portal, one) !== undefined || views.exists(portal, one));
      return name === undefined ? undefined : templates.find(portal, name);
    };
    return {
      ...views,
      addRoot(root) {
        templates.addRoot(root);
        views.addRoot(root);
      },
      exists: (portal, name) => templates.find(portal, name) !== undefined || views.exists(portal, name),
      render(view) {
        const file = pageOf(view);
        if (file === undefined) return views.render(view);
        const answered = hooks.views.render.call(view);
        if (answered !== undefined) return answered;
        const page = new SafeHtml(templates.render(file, view.locals));
        return views.render({ ...view, names: ["fw_eta/page"], locals: { ...view.locals, fw_eta_page: page } });
      },
    };
  },
});
