import { spawnSync } from "node:child_process";
import { readAudit } from "./lib/audit";
import { ROOT } from "./lib/paths";

/**
 * `npm run check:audit`: queries the registry for known vulnerabilities of all packages (npm audit). Exits with 1 when a package
 * has a serious one, and with 0 when the registry cannot be reached or does not support audits.
 */
const { stdout } = spawnSync("npm", ["audit", "--json"], {
  cwd: ROOT,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
  stdio: ["ignore", "pipe", "ignore"],
  shell: process.platform === "win32",
});
const audit = readAudit(stdout);
if (audit.state === "vulnerable") {
  console.error(`Packages with known vulnerabilities: ${audit.packages.join(", ")}`);
  process.exitCode = 1;
} else if (audit.state === "clean") console.log("No package has a known serious vulnerability.");
else console.log(`The packages were not audited, because the registry gave no report: ${audit.reason}`);
