// Loads agent modules with Node's own loader, which the test runner puts its own in place of, and prints what came of each.
import { loadAgent } from '../../src/agent/index.ts';

for (const file of process.argv.slice(2)) {
  const result = await loadAgent(file).then(
    ({ name, tools = {}, model, path }) => ({ name, tools: Object.keys(tools), model, path }),
    ({ code, message, details }) => ({ code, message, details }),
  );
  console.log(JSON.stringify(result));
}
