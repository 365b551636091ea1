import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/free-port.ts'
import { packForNpm } from '../packaging/npm.ts'
import { makeLibrary, readComicAt, until } from './comic-on-screen.ts'
import { run, start, type StartOptions } from './running.ts'
import type { Way } from './way.ts'

/** With the npm and the Node of this machine, however old, into a place where nothing is. */
export const npmWay: Way = {
  name: 'npm',
  needs: ['npm', 'node'],
  make: async (out) => packForNpm(out),
  tryOut: async (file, folder, step) => {
    const prefix = join(folder, 'prefix')
    const library = join(folder, 'library')
    mkdirSync(prefix)
    makeLibrary(library)
    run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', file])
    step('installed')
    await serveFrom(join(prefix, 'bin/carrel'), ['serve'], { cwd: folder, library })
    step('a comic on the screen')
    const own = join(folder, 'npx')
    mkdirSync(own)
    await serveFrom('npx', ['--yes', '--package', file, 'carrel', 'serve'], {
      cwd: own,
      library,
      env: { npm_config_cache: join(folder, 'cache') },
    })
    step('the same with npx')
  },
}

interface Serving extends StartOptions {
  readonly library: string
}

const serveFrom = async (
  command: string,
  args: readonly string[],
  { library, env, ...options }: Serving,
): Promise<void> => {
  const port = await freePort()
  await using server = start(command, args, { ...options, env: { ...env, CARREL_PORT: String(port) } })
  await readComicAt(`http://127.0.0.1:${port}`, library).catch((error: Error) => {
    throw new Error(`${error.message}\n${server.output()}`, { cause: error })
  })
  const code = await server.stop()
  // npx ends by the signal itself, and the server with it.
  if (code !== 0 && code !== 'SIGTERM') throw new Error(`The server ended with ${code}:\n${server.output()}`)
  await until('the end of the server', () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      () => false,
      () => true,
    ),
  )
}
