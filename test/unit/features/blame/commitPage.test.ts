/** The page of a commit, from the URL of a remote. */
import { strict as assert } from 'node:assert';
import { commitPage } from '../../../../extension/features/blame/commitPage';

const kHash = '0123456789abcdef0123456789abcdef01234567';
const page = (remote: string) => commitPage(remote, kHash)?.url.replace(kHash, 'HASH');

describe('the page of a commit', () => {
  const github = 'https://github.com/owner/name/commit/HASH';
  const gitlab = 'https://gitlab.com/group/sub/name/-/commit/HASH';
  const pages: [string, string][] = [
    ['https://github.com/owner/name.git', github],
    ['https://github.com/owner/name', github],
    ['https://github.com/owner/name/', github],
    ['https://user:secret@github.com/owner/name.git', github],
    ['HTTPS://GitHub.com/owner/name.git', github],
    ['git@github.com:owner/name.git', github],
    ['github.com:owner/name.git', github],
    ['git@github.com:/owner/name.git', github],
    ['ssh://git@github.com/owner/name.git', github],
    ['ssh://git@github.com:22/owner/name.git', github],
    ['ssh://git@ssh.github.com:443/owner/name.git', github],
    ['git://github.com/owner/name.git', github],
    ['git+ssh://git@github.com/owner/name.git', github],
    ['git@gitlab.com:group/sub/name.git', gitlab],
    ['https://gitlab.com/group/sub/name.git', gitlab],
    ['ssh://git@altssh.gitlab.com:443/group/sub/name.git', gitlab],
    ['https://github.example.com/owner/name.git', 'https://github.example.com/owner/name/commit/HASH'],
    ['git@github.example.com:owner/name.git', 'https://github.example.com/owner/name/commit/HASH'],
    ['git@my-github.example.com:owner/name', 'https://my-github.example.com/owner/name/commit/HASH'],
    ['https://gitlab.example.com:8443/g/n.git', 'https://gitlab.example.com:8443/g/n/-/commit/HASH'],
    ['ssh://git@gitlab.example.com:2222/g/n.git', 'https://gitlab.example.com/g/n/-/commit/HASH'],
    ['http://gitlab.internal/g/n.git', 'http://gitlab.internal/g/n/-/commit/HASH'],
    ['git@gitlab.example.com:~ada/n.name.git', 'https://gitlab.example.com/~ada/n.name/-/commit/HASH'],
  ];
  for (const [remote, expected] of pages)
    it(`is found for ${remote}`, () => assert.equal(page(remote), expected));

  it('names its site', () => {
    assert.equal(commitPage('git@github.com:o/n', kHash)?.site, 'GitHub');
    assert.equal(commitPage('git@gitlab.com:o/n', kHash)?.site, 'GitLab');
  });

  const none = [
    '',
    '/srv/git/name.git',
    'file:///srv/git/name.git',
    '../name',
    './github.com:owner/name',
    'C:\\git\\name',
    'https://example.com/owner/name.git',
    'https://notgithub.com/owner/name.git',
    'https://github.com.evil.example:x/owner/name',
    'https://github.com/name.git',
    'https://github.com/',
    'https://github.com/owner/na me',
    'https://github.com/owner/name?x=[a](command:b)',
    'https://github.com/owner/../..',
    'https://github.com/owner/name)\nx',
    'https://github.com\\@evil.example/owner/name',
    'ext::sh -c github.com/owner/name',
    'javascript://github.com/owner/name',
  ];
  for (const remote of none)
    it(`is missing for ${JSON.stringify(remote)}`, () => assert.equal(page(remote), undefined));

  it('is missing for a text that is no id', () => {
    assert.equal(commitPage('git@github.com:o/n', 'HEAD'), undefined);
    assert.equal(commitPage('git@github.com:o/n', `${kHash}/..`), undefined);
  });
});
