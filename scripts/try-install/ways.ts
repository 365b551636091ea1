import { debianWay } from './debian.ts'
import { foreignImageWay, imageWay } from './image.ts'
import { npmWay } from './npm.ts'
import type { Way } from './way.ts'

export const ways: readonly Way[] = [npmWay, debianWay, imageWay, foreignImageWay]
