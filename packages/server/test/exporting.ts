import * as api from '@carrel/api'
import { exportCatalogue } from '../src/features/exports/tasks.ts'
import { bodyOf } from './outcome.ts'
import { waitUntil } from './smoke/wait-until.ts'
import type { Person, TestServer } from './start-server.ts'
import { workOn } from './work.ts'

/** It waits for the end of an export that a worker has in hand. */
export const endOf = ({ call }: Person, id: string): Promise<api.SeriesExportDto> =>
  waitUntil('the end of the export', async () => {
    const now = bodyOf(await call(api.readSeriesExport, { params: { id } }))
    return now.status === 'pending' || now.status === 'running' ? undefined : now
  })

/** A worker makes the export. */
export const made = async (server: TestServer, person: Person, id: string): Promise<api.SeriesExportDto> => {
  await using _ = workOn(server, [exportCatalogue])
  return await endOf(person, id)
}

export const download = (
  { url }: TestServer,
  { accessToken }: Person,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/api/v1/user/exports/series/${id}/download`, {
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  })

/** It asks for an export, has it made, and returns the content of its file. */
export const exported = async (
  server: TestServer,
  person: Person,
  body: api.CreateSeriesExportRequest,
): Promise<string> => {
  const { id } = bodyOf(await person.call(api.createSeriesExport, { body }))
  await made(server, person, id)
  return (await download(server, person, id)).text()
}
