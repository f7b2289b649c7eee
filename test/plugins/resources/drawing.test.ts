import { raw } from "framewright/host";
import { Session } from "../../../host/http/session.ts";
import { rowAction } from "../../../plugins/fields/components/table.ts";
import type { ActionOptions, ResourceAction } from "../../../plugins/resources/definition/actions.ts";
import { LazyPolicyContext } from "../../../plugins/resources/definition/policy.ts";
import { Interaction, Policy, type PolicyContext, succeed } from "../../../plugins/resources/index.ts";
import { viewOf } from "../../../plugins/resources/pages/chrome.ts";
import { RowAction } from "../../../plugins/resources/pages/row_actions.ts";
import { hrefOf } from "../../../plugins/resources/registration/urls.ts";
import { assert, describe } from "../../support/index.ts";

class Plain extends Interaction {
  async execute() {
    return succeed();
  }
}
class Asking extends Plain {
  static override attributes = { note: { as: "string" } };
}
const actions: Record<string, ActionOptions> = {
  show: { path: "" },
  edit: { path: "edit", label: `Edit & "more" <now>` },
  destroy: { path: "", method: "delete", confirmation: true, category: "danger" },
  odd: { path: `odd path/"quoted"`, turboFrame: `a"b`, prefetch: false, icon: "send" },
  nameless: { path: "nameless", icon: "no-such-icon" },
  sent: { interaction: Plain, confirmation: false, category: "primary" },
  asked: { interaction: Plain, turboFrame: "frame" },
  filled: { interaction: Asking, icon: "send" },
  removed: { path: "remove", method: "delete", icon: "trash" },
};
const urls = ["/admin/posts/1", "/acme%20x/posts/7", `/posts/"><script>`];
const labels = ["Plain", `<b>"Bold"</b> & 'more'`, ""];

describe("The template of a row's action", (it) => {
  it("A filled template of a row's action equals the rendered component, whatever the URL and the label contain", () => {
    const request = { session: new Session() };
    const token = () => raw('<input type="hidden" name="authenticity_token" value="TOKEN">');
    for (const [key, options] of Object.entries(actions)) {
      const action = { ...options, key } as ResourceAction;
      const drawn = new RowAction(action, options.label ?? key);
      for (const url of urls) {
        for (const label of labels) {
          const whole = rowAction(viewOf(action, url, options.label ?? key, token), label);
          const filling = { url, href: hrefOf(url), label: label.replace(/[&<>"']/g, (sign) => `&${names[sign]};`) };
          const filled = drawn.fill(filling, { request } as never).replace(/[\w-]{86}/g, "TOKEN");
          assert.is(filled, whole, `${key} on ${url}`);
        }
      }
    }
  });
});
const names: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };

describe("The policy of a row", (it) => {
  const context = () => {
    const subject = {
      looks: 0,
      get record() {
        subject.looks++;
        return { title: "Made" };
      },
    };
    return { subject, late: new LazyPolicyContext(subject, { id: 1 }, undefined) };
  };
  class Blind extends Policy {
    override canRead() {
      return (this.user as { id?: number } | undefined)?.id === 1;
    }
  }
  class Looking extends Policy {
    override canRead() {
      return (this.record as unknown as { title: string }).title === "Made";
    }
  }
  it("A policy of a row creates a record only when it reads it", () => {
    const { subject, late } = context();
    assert.ok(new Blind(late).canShow());
    assert.is(subject.looks, 0);
    assert.ok(new Looking(late).canShow());
    assert.is(subject.looks, 1);
  });
  it("A policy of a row has its record when the constructor copies, destructures or replaces the context", () => {
    class Copying extends Looking {
      constructor(given: PolicyContext) {
        super({ ...given, user: { id: 2 } });
      }
    }
    class Apart extends Looking {
      constructor({ record, ...rest }: PolicyContext) {
        super({ ...rest, record });
      }
    }
    class Replacing extends Looking {
      constructor(given: PolicyContext) {
        super({ ...given, record: { title: "Another" } });
      }
    }
    class AtOnce extends Looking {
      readonly title = (this.record as unknown as { title: string } | undefined)?.title;
    }
    for (const Given of [Copying, Apart, AtOnce]) assert.ok(new Given(context().late).canShow(), Given.name);
    assert.is(new AtOnce(context().late).title, "Made");
    assert.is(new Replacing(context().late).canShow(), false);
  });
  it("A policy has the record of its context, or none", () => {
    const given = {
      user: undefined,
      record: { title: "Made" },
      entityScope: { id: 1 },
      parent: 2,
      parentAssociation: undefined,
    };
    assert.ok(new Looking(given).canShow());
    assert.is(new Looking(given).record as unknown, given.record);
    assert.is(new Blind({ ...given, record: undefined }).record, undefined);
  });
});
