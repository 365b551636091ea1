/** Bytes for a client that are no JSON, with all it must know to keep them. */
export interface Media<Content extends MediaBytes | MediaFile = MediaBytes> {
  /** It changes whenever the bytes do. */
  readonly etag: string
  /** When what they are made of was written last. */
  readonly modifiedAt?: Date | undefined
  /** The address names the version there is now: what it leads to never changes. */
  readonly isImmutable: boolean
  /** The bytes may depend on what the client can show. */
  readonly variesByAccept?: boolean
  /** It is called only when the client does not have the bytes. */
  read(): Promise<Content>
}

export interface MediaBytes {
  readonly mediaType: string
  readonly bytes: Buffer
  /** The name is proposed to whoever saves the file. */
  readonly fileName?: string
  /** They stand in for what is not there now: nobody may store them under its tag. */
  readonly isStandIn?: true
  /** It must be called when the bytes are sent, or will not be sent. */
  readonly giveBack?: () => void
}

/** Sound or film, of which players ask for parts. */
export interface MediaFile {
  readonly mediaType: string
  readonly size: number
  /** The bytes from one place up to, not with, another. */
  open(from: number, to: number): AsyncIterable<Buffer>
  close(): void
}

/** A file as it lies on the disk, whole or in parts. */
export interface Download {
  readonly etag: string
  readonly modifiedAt: Date | undefined
  readonly mediaType: string
  readonly fileName: string
  /** Undefined: nobody knows before it is sent. */
  readonly size: number | undefined
  /** What the file says of the book: what is shown of it, or what it says by itself; absent where nobody asked. */
  readonly metadata?: 'embedded' | 'original'
  /** It is put together on the way: there are no parts of it. */
  readonly isWhole?: boolean
  /** The bytes from one place up to, not with, another. It fails when they are not there any more. */
  open(from: number, to: number): AsyncIterable<Buffer>
  close(): void
}
