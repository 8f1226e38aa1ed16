import { buildProduct, exitOnBuildError } from "./lib/build/build";

const force = process.argv.includes("--force");
const built = await buildProduct({ force }).catch(exitOnBuildError);
console.log(built ? "Built." : "The build is up to date.");
