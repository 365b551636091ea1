import { statfs } from 'node:fs/promises'

/** `f_type` of file systems whose files lie on another machine (statfs(2)): NFS, SMB, CIFS, SMB 2, 9P, AFS, Ceph. */
const remoteTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400])

export const isRemoteType = (type: number): boolean => remoteTypes.has(type >>> 0)

/** Where nobody knows, it is taken for a folder of this machine. */
export const isOnAnotherMachine = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    ({ type }) => isRemoteType(type),
    () => false,
  )
