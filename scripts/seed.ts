import { join } from "node:path";
import { Miniflare } from "miniflare";
import { seedDemo } from "./lib/local/seed-demo";
import { workerOptions } from "./lib/local/worker-options";
import { fromRoot } from "./lib/paths";

/**
 * Seeds the demo into the empty database and bucket of this machine. It is a separate process because the modules that it loads
 * take 200 MB, which the serving process would not free.
 */
const state = fromRoot(".wrangler", "state", "v3");
const { compatibilityDate, d1Databases, r2Buckets } = workerOptions("");
const mf = new Miniflare({
  name: "hiroba",
  modules: true,
  script: "export default {};",
  compatibilityDate,
  d1Databases,
  r2Buckets,
  d1Persist: join(state, "d1"),
  r2Persist: join(state, "r2"),
});
try {
  await seedDemo(mf);
} finally {
  await mf.dispose();
}
