import { join } from "node:path";
import { addFiles } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openShop } from "../../support/shop.ts";

// Forms of tests send files as browsers do.

const files = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.get("upload", { to: "upload#form" }); routes.post("upload", { to: "upload#take" }); routes.mount(AdminPortal, { at: "/admin" }); });`,
  "app/controllers/upload_controller.ts": `import { BaseController, csrfInput, html, htmlReply, type UploadedFile } from "framewright"; import { readFile } from "node:fs/promises";
    export default class UploadController extends BaseController { static override guests = "admit" as const;
      form() { return htmlReply(html\`<form method="post" action="/upload" enctype="multipart/form-data">\${csrfInput(this.request, "/upload")}<input name="title" value="Kept"><input type="file" name="cover"></form>\`.html); }
      async take() {
        const { title, cover } = this.params.toObject() as { title: string; cover: UploadedFile };
        return this.json({ title, name: cover.filename, type: cover.mimeType, size: cover.bytes.length });
      }
    }`,
};

describe("Forms of tests with files", (it) => {
  it("A file goes by its path or by its bytes, beside the values of the form", async () => {
    const app = await openShop(files);
    try {
      addFiles(app.root, { "note.txt": "from the disk" });
      const client = app.client();
      const sent = async (cover: Parameters<typeof client.submit>[1][string]) =>
        (await client.submit("/upload", { cover })).json();
      assert.equal(await sent({ path: join(app.root, "note.txt") }), {
        title: "Kept",
        name: "note.txt",
        type: "text/plain",
        size: 13,
      });
      assert.equal(await sent({ name: "people.csv", content: "name" }), {
        title: "Kept",
        name: "people.csv",
        type: "text/csv",
        size: 4,
      });
    } finally {
      await app.close();
    }
  });
});
