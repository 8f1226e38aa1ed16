/**
 * Serves the built product with the D1 and R2 data of a folder, in a separate process that a test can kill. Argument: the folder. The
 * first line of the output is the origin.
 */
import { startLocal } from "../../../scripts/lib/local/local-product";

const [stateFolder = ""] = process.argv.slice(2);
const { origin } = await startLocal({ port: 0, state: stateFolder });
console.log(origin);
