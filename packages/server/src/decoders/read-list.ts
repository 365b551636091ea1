import { type ListFile, type ListLimits, readListFile } from '../formats/read-list.ts'

export const readList = async ({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array
  readonly limits: ListLimits
}): Promise<ListFile> => readListFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits)
