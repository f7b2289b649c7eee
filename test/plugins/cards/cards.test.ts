import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import {
  attachmentFiles,
  bytesOf,
  configWith,
  openAttachments,
  sendForm,
  serviceOf,
  list as shipmentList,
  upload,
} from "../attachments/attachments_app.ts";
import { boardFiles } from "../boards/boards_app.ts";
import { task } from "../resources/tasks_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const list = "/customer/1/tasks?shape=cards";
const cardsIn = (html: string) => [...html.matchAll(/<li class="fw-tile".*?<\/li>/gs)].map(([card]) => card);

for (const database of await databases({ withPostgres: true })) {
  describe(`A list as cards, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          boardFiles(
            'this.board(false); this.perPage = 3; this.defaultSort("title"); this.cards({ facts: ["status", "due_on", "fee", "author", "hours", "code"] });',
          ),
          await database.values(),
        );
        await databaseOf(app.application)
          .knex("tasks")
          .insert([
            task(1),
            task(2, { due_on: null, status: "busy" }),
            task(3, { title: "Hidden" }),
            task(4),
            task(5),
            task(90, { title: "Task of Baltic" }, 2),
          ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string, headers: Record<string, string> = ann) =>
      (await app.request(path, { headers })).text();

    can("Each has the name of its record, with a link to it, and four facts at most", async () => {
      const html = await page(list);
      assert.is(cardsIn(html).length, 3);
      const [first = ""] = cardsIn(html);
      assert.match(first, /<a class="fw-tile-title"[^>]* href="\/customer\/1\/tasks\/1\?_list=[^"]*">Task 1<\/a>/);
      const labels = [...first.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, label]) => label);
      assert.equal(labels, ["Status", "Due on", "Fee", "Author"]);
      assert.match(html, "fw-pager");
      assert.not.match(html, /Hidden|Baltic|sesame|shape=board/);
    });
    can("What is not set, and what the policy hides, is left out of a card", async () => {
      const [, second = ""] = cardsIn(await page(list));
      assert.match(second, "Task 2");
      assert.not.match(second, "Due on");
      const [first = ""] = cardsIn(await page(list, cat));
      assert.not.match(first, /Fee|12\.50/);
      const [ofGuest = ""] = cardsIn(await page("/guest/1/tasks?shape=cards", {}));
      assert.match(ofGuest, "Task 1");
    });
    can("Columns, search, filters, order and pages are those of the list", async () => {
      const [chosen = ""] = cardsIn(await page(`${list}&columns=title,code,serial`));
      assert.equal(
        [...chosen.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, label]) => label),
        ["Code", "Serial"],
      );
      assert.is(cardsIn(await page(`${list}&filter%5Bstatus%5D=busy`)).length, 1);
      assert.match(cardsIn(await page(`${list}&sort=-title`))[0]!, "Task 5");
      assert.match(cardsIn(await page(`${list}&page=2`))[0]!, "Task 5");
      assert.match(await page(`${list}&q=nothing`), "fw-empty");
    });
    can("JSON is the list, and other tenants have no page", async () => {
      const json = async (path: string) =>
        (await app.request(path, { headers: { ...ann, accept: "application/json" } })).json() as Promise<{
          data: unknown;
        }>;
      assert.equal((await json(list)).data, (await json("/customer/1/tasks")).data);
      assert.is((await app.request("/customer/2/tasks?shape=cards", { headers: ann })).status, 404);
    });
  });
}

describe("Cards with images of attachments", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAttachments({
      "plugins.config.ts": configWith("cards()", "cards"),
      "app/definitions/shipment_definition.ts": edited(
        attachmentFiles,
        "app/definitions/shipment_definition.ts",
        ['this.action("duplicate");', 'this.action("duplicate"); this.cards({ image: "cover" });'],
        ["import type {} from", 'import type {} from "framewright/plugins/cards";\nimport type {} from'],
      ),
    });
  });
  after(() => app?.close());
  const page = async (headers: Record<string, string>) =>
    (await app.request(`${shipmentList}?shape=cards`, { headers })).text();

  it("A card has the thumbnail of its image, an icon until there is one, and nothing of it for who may not read it", async () => {
    const fields = [
      ["shipment[reference]", "With a cover"],
      ["shipment[cover][new][]", upload(bytesOf("red.png"), "one.png")],
    ] as const;
    await sendForm(app.client(), { page: `${shipmentList}/new`, headers: ann }, fields);
    await serviceOf(app).drain();
    const html = await page(ann);
    const card = cardsIn(html).find((one) => one.includes("With a cover"))!;
    assert.match(
      card,
      /<div class="fw-tile-image"><img src="\/customer\/1\/shipments\/\d+\/files\/cover\/\d+\/large[^"]*" alt="" loading="lazy"/,
    );
    const other = cardsIn(html).find((one) => one !== card)!;
    assert.match(other, /<div class="fw-tile-image"><(svg|i) /);
    const ofDan = await page({ "x-user": "4" });
    assert.not.match(ofDan, "fw-tile-image");
  });
});

describe("Cards that a definition declares", (it) => {
  const refusal = async (line: string): Promise<string> => {
    try {
      await (await openTenants(boardFiles(line))).close();
    } catch (error) {
      return String((error as Error).message);
    }
    return "";
  };
  it("What the model does not have is refused at boot, by its name", async () => {
    assert.match(
      await refusal('this.cards({ facts: ["statu"] });'),
      /names "statu" as a fact.*Did you mean "status"\?/,
    );
    assert.match(await refusal('this.cards({ image: "cover" });'), 'names "cover" as image');
    assert.match(await refusal("this.cards({ picture: 1 });"), 'has the option "picture"');
  });
});
