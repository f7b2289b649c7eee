import { dispatchTime, hooksTime } from "../bench/micro.ts";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";

const SLACK = 0.3; // microseconds: a machine that is busy measures less sharply than that

describe("Speed", (it) => {
  it("Dispatch among 10,000 routes takes at most about twice as long as among 10", () => {
    const few = dispatchTime(10);
    for (const routes of [1_000, 10_000]) {
      const many = dispatchTime(routes);
      assert.ok(many <= few * 2 + SLACK, `${many} µs of ${routes} routes, ${few} of 10`);
    }
  });

  it("All hooks of a request take less than 5 µs", () => {
    const time = hooksTime();
    assert.ok(time < within(5), `${time} µs`);
  });
});
