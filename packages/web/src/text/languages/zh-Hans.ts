export { default as home } from '../../features/home/strings/zh-Hans.json'
export { default as lists } from '../../lists/strings/zh-Hans.json'
export { default as common } from '../../ui/strings/zh-Hans.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/zh-Hans.json',
    '../../frame/palette/strings/zh-Hans.json',
    '../../features/**/strings/zh-Hans.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
