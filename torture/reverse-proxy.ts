import { spawn } from 'node:child_process'
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
