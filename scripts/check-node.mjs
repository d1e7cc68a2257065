// Says plainly what is wrong when the tests would run under a Node that has no usable node:sqlite.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Node >= 24.15 is needed; this is ${process.version}. Run "npm ci" without --omit=optional: it brings one along.`,
  );
  process.exit(1);
}
