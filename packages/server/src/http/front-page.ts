import type { FastifyInstance } from 'fastify'
import { refuseOthersAt } from './edge.ts'

const page = (base: string, docs: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Carrel</title>
<link rel="stylesheet" href="${base}/front-page.css">
</head>
<body>
<main>
<h1>Carrel</h1>
<p>Your library server is running.</p>
<ul>
${docs ? `<li><a href="${base}/api/docs">API reference</a></li>\n` : ''}<li><a href="${base}/api/openapi.json">OpenAPI document</a></li>
<li><a href="${base}/api/v1/setup/status">Setup status</a></li>
<li><a href="${base}/health/ready">Health</a></li>
</ul>
</main>
</body>
</html>
`

const styleSheet = `:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { width: min(34rem, 100% - 3rem); }
h1 { font-size: 2.5rem; letter-spacing: -0.02em; margin: 0; }
p { margin: 0.25rem 0 1.5rem; opacity: 0.8; }
ul { list-style: none; padding: 0; margin: 0; display: grid; gap: 0.5rem; }
a { color: LinkText; text-underline-offset: 0.2em; }
`

/** Until the web app moves in: something to see for whoever opens the address in a browser. */
export const serveFrontPage = (app: FastifyInstance, basePath: string, docsEnabled: boolean): void => {
  const serveAt = (url: string, type: string, content: string): void => {
    app.get(url, { config: { surface: 'page' } }, (_, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(content),
    )
    refuseOthersAt(app, url, ['GET', 'HEAD', 'OPTIONS'])
  }
  serveAt('/', 'text/html; charset=utf-8', page(basePath, docsEnabled))
  serveAt('/front-page.css', 'text/css; charset=utf-8', styleSheet)
}
