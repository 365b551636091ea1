/** What a file that is sent says of its book. */
export const downloadMetadata = ['original', 'embedded'] as const
export type DownloadMetadata = (typeof downloadMetadata)[number]
