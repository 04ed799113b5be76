//! `cargo xtask bare`: the README's two commands on a minimal Debian with only the packages that
//! the README lists.
//!
//! Purpose: test that they succeed there, as root and as an ordinary user.
//! Invariant: a root file system is created for each account, from `PACKAGES`, the Rust toolchain
//! that runs this command, and a clone of the last commit; the machine itself is unchanged except
//! for `mmdebstrap`.
//! Reason: on a developer's machine no test fails for lack of a compiler, a header or a package.

use crate::{Result, machine, place, process};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

/// The packages in the README besides Rust, and those for a clone.
const PACKAGES: &str = "gcc,libc6-dev,python3,python3-venv,python3-dev,make,git,ca-certificates";

/// Network settings for programs in the root, if this machine has such settings.
const NETWORK: [&str; 10] = [
    "http_proxy",
    "https_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "PIP_CERT",
    "PIP_INDEX_URL",
    "PIP_DEFAULT_TIMEOUT",
];

/// Network settings of this machine in files, copied to the same place in the root.
const NETWORK_FILES: [&str; 4] =
    ["/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"];

/// Arguments of `bare`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The account that runs the commands; by default both, one after the other
    #[arg(long, value_enum)]
    account: Option<Account>,
    /// The release of Debian
    #[arg(long, default_value = "bookworm")]
    release: String,
    /// Commands in place of the README's two, each for `sh` in the root of the clone
    #[arg(last = true)]
    commands: Vec<String>,
}

/// The account that runs the commands in the root.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Account {
    User,
    Root,
}

impl Account {
    fn name(self) -> &'static str {
        match self {
            Account::User => "user",
            Account::Root => "root",
        }
    }

    fn home(self) -> &'static str {
        match self {
            Account::User => "/home/user",
            Account::Root => "/root",
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !machine::can_install() {
        return Err("`bare` makes a root file system: run it as root on Debian".to_owned());
    }
    machine::install_tool("mmdebstrap")?;
    let base = base(&arguments.release)?;
    let commands = match arguments.commands.as_slice() {
        [] => vec!["cargo xtask demo".to_owned(), "cargo xtask test".to_owned()],
        given => given.to_vec(),
    };
    let accounts = match arguments.account {
        Some(account) => vec![account],
        None => vec![Account::User, Account::Root],
    };
    let mut lines = Vec::new();
    let mut failed = false;
    for account in accounts {
        let root = Root::make(account, &base)?;
        for command in &commands {
            let start = Instant::now();
            let done = root.run(command);
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            failed |= done.is_err();
            let outcome = if done.is_ok() { "passed" } else { "FAILED" };
            lines.push(format!("{outcome}  {}: {command} ({minutes:.1} min)", account.name()));
        }
        root.remove()?;
    }
    process::heading("in a bare Debian");
    println!("{}", lines.join("\n"));
    if failed {
        Err("the README's commands do not end well on a bare machine".to_owned())
    } else {
        Ok(())
    }
}

/// The archive of a minimal root, created once per release.
fn base(release: &str) -> Result<PathBuf> {
    let archive = place::target("bare").join(format!("{release}.tar"));
    if !archive.exists() {
        process::heading("a bare Debian");
        place::make_folder_of(&archive)?;
        let part = archive.with_extension("part.tar");
        let mut make = process::command("mmdebstrap");
        make.args(["--variant=minbase", &format!("--include={PACKAGES}"), release]);
        process::run(make.arg(&part))?;
        fs::rename(&part, &archive).map_err(|error| format!("cannot keep the root: {error}"))?;
    }
    Ok(archive)
}

/// A minimal root file system with Rust and a clone of the last commit.
struct Root {
    folder: PathBuf,
    account: Account,
}

impl Root {
    fn make(account: Account, base: &Path) -> Result<Root> {
        process::heading(&format!("a root for {}", account.name()));
        let folder = place::target("bare").join(account.name());
        let root = Root { folder, account };
        root.remove()?;
        fs::create_dir_all(&root.folder)
            .map_err(|error| format!("cannot make the root: {error}"))?;
        process::run(process::command("tar").arg("-xf").arg(base).arg("-C").arg(&root.folder))?;
        let sysroot = process::capture(process::command("rustc").args(["--print", "sysroot"]))?;
        root.copy(Path::new(&sysroot), "/opt/rust")?;
        for file in NETWORK_FILES.iter().filter(|file| Path::new(file).exists()) {
            root.copy(Path::new(file), file)?;
        }
        if account == Account::User {
            root.within("useradd --create-home user", "/root", "/")?;
        }
        let clone = root.at(&root.clone_path());
        let mut git = process::command("git");
        process::run(git.args(["clone", "--quiet", "--no-local"]).arg(place::root()).arg(clone))?;
        root.within(&format!("chown -R {0}: {1}", account.name(), account.home()), "/root", "/")?;
        Ok(root)
    }

    fn clone_path(&self) -> String {
        format!("{}/fishplate", self.account.home())
    }

    /// A path in the root, as a path of this machine.
    fn at(&self, path: &str) -> PathBuf {
        self.folder.join(path.trim_start_matches('/'))
    }

    fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let to = self.at(to);
        place::make_folder_of(&to)?;
        process::run(process::command("cp").args(["-aL"]).arg(from).arg(to))
    }

    /// Runs a command of the account in its clone.
    fn run(&self, command: &str) -> Result<()> {
        let command = match self.account {
            Account::Root => command.to_owned(),
            Account::User => {
                format!("exec setpriv --reuid user --regid user --init-groups sh -c '{command}'")
            }
        };
        self.within(&command, self.account.home(), &self.clone_path())
    }

    /// Runs a command as root inside, with private `/proc` and `/dev`, and only the listed
    /// variables.
    fn within(&self, command: &str, home: &str, folder: &str) -> Result<()> {
        const ENTER: &str = "mount -t proc proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && \
                             mount -t tmpfs tmpfs \"$0/dev/shm\" && exec chroot \"$0\" \"$@\"";
        let mut enter = process::command("unshare");
        enter.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER]);
        enter.arg(&self.folder).args(["env", "-i", "-C", folder, "LANG=C.UTF-8"]);
        enter.arg(format!("HOME={home}"));
        enter
            .arg("PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        for name in NETWORK {
            if let Some(value) = env::var_os(name) {
                let mut setting = OsString::from(format!("{name}="));
                setting.push(value);
                enter.arg(setting);
            }
        }
        process::run(enter.args(["sh", "-c", command]))
    }

    fn remove(&self) -> Result<()> {
        process::run(process::command("rm").arg("-rf").arg(&self.folder))
    }
}
