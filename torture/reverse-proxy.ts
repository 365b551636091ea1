import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../packages/server/test/free-port.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

/** The file that operators get. */
export const haproxyExample = new URL('../deploy/haproxy/carrel.cfg', import.meta.url)

export interface ReverseProxy extends AsyncDisposable {
  readonly url: string
}

/** It is there once it leads to a server that is ready. */
export const startReverseProxy = async (
  program: string,
  args: readonly string[],
  port: number,
): Promise<ReverseProxy> => {
  const child = spawn(program, args, { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntil(`${program} to lead to a server`, () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The example of the documentation, without TLS. */
export const behindNginx = async (folder: string, ownPort: string): Promise<ReverseProxy> => {
  const port = await freePort()
  const page = await readFile(new URL('../docs/operators/reverse-proxy.md', import.meta.url), 'utf8')
  const example = (/```nginx\n(.*?)```/s.exec(page)?.[1] ?? '')
    .replace('127.0.0.1:8080', `127.0.0.1:${ownPort}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/\n *ssl_.*/g, '')
  await mkdir(join(folder, 'nginx'))
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path nginx/${name};`)
  // Its processes write bodies into a folder that is readable for its owner alone.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const text = `${user}pid nginx/pid; daemon off; error_log nginx/error.log; events {}
http { access_log off; ${own.join(' ')}
${example}}`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, text)
  return startReverseProxy('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'nginx/error.log')], port)
}

export const requireProgram = (name: string, what: string, skip: (note: string) => void): void => {
  if (!spawnSync(name, ['-v']).error) return
  const note = `NOT TESTED: ${what} behind ${name}, because there is none (Debian: apt-get install ${name})`
  console.warn(note)
  skip(note)
}
