import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Relative addresses, so that a proxy may serve the app below any path. Nothing is inlined: the page's policy forbids it.
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
  },
});
