import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/**
 * A Kalah agent to begin with: it plays on a server of the Kalah Game Protocol.
 *
 * <p>Run it as {@code java Agent.java [HOST [PORT]]}. A server that starts it itself sets KGP_HOST, KGP_PORT, TOKEN and
 * NAME. It answers within the time by deepening a minimax search: {@code value} is the place for ideas of your own.
 */
public class Agent {
    /** Nanoseconds for a move; the server allows 5 seconds unless it says otherwise. */
    static final long THINK = 500_000_000L;
    static final int MAX_DEPTH = 30;

    /** Seen from the player to move: own houses and store, then those of the opponent, in the order of sowing. */
    record Board(int[] own, int ownStore, int[] other, int otherStore) {
        /** Reads {@code <houses,own store,other store,own houses...,other houses...>}. */
        static Board parse(String text) {
            int[] fields = Arrays.stream(text.replaceAll("[<>]", "").split(",")).mapToInt(Integer::parseInt).toArray();
            int[] own = Arrays.copyOfRange(fields, 3, 3 + fields[0]);
            int[] other = Arrays.copyOfRange(fields, 3 + fields[0], 3 + 2 * fields[0]);
            return new Board(own, fields[1], other, fields[2]);
        }

        static int sum(int[] houses) {
            return Arrays.stream(houses).sum();
        }

        boolean isOver() {
            int all = sum(own) + sum(other) + ownStore + otherStore;
            return sum(own) == 0 || sum(other) == 0 || 2 * Math.max(ownStore, otherStore) > all;
        }

        int[] moves() {
            return java.util.stream.IntStream.range(0, own.length).filter(house -> own[house] > 0).toArray();
        }

        /** Seeds that the player to move is ahead; at the end of the game everybody keeps his own. */
        int margin() {
            return ownStore - otherStore + (isOver() ? sum(own) - sum(other) : 0);
        }

        /** The worth of a move for this player, looking {@code depth} moves ahead. */
        int valueOfMove(int house, int depth, long end) {
            int size = own.length, last = house;
            int[] pits = new int[2 * size + 1]; // the opponent's store is left out
            System.arraycopy(own, 0, pits, 0, size);
            pits[size] = ownStore;
            System.arraycopy(other, 0, pits, size + 1, size);
            int seeds = pits[house];
            pits[house] = 0;
            while (seeds-- > 0) {
                last = (last + 1) % pits.length;
                pits[last]++;
            }
            int opposite = 2 * size - last;
            if (last < size && pits[last] == 1 && pits[opposite] > 0) { // a capture
                pits[size] += 1 + pits[opposite];
                pits[last] = pits[opposite] = 0;
            }
            int[] mine = Arrays.copyOf(pits, size), yours = Arrays.copyOfRange(pits, size + 1, 2 * size + 1);
            return last == size // the player moves again
                    ? new Board(mine, pits[size], yours, otherStore).value(depth - 1, end)
                    : -new Board(yours, otherStore, mine, pits[size]).value(depth - 1, end);
        }

        /** The margin that the player to move can reach. */
        int value(int depth, long end) {
            if (System.nanoTime() - end > 0) throw new TimeOver();
            if (depth == 0 || isOver()) return margin();
            return Arrays.stream(moves()).map(move -> valueOfMove(move, depth, end)).max().getAsInt();
        }
    }

    /** The search has no more time. */
    static class TimeOver extends RuntimeException {}

    final PrintStream output;
    /** Requests that still want a move. */
    final Set<String> open = Collections.synchronizedSet(new HashSet<>());

    Agent(PrintStream output) {
        this.output = output;
    }

    void send(String line) {
        synchronized (output) { // two threads write
            output.print(line + "\r\n");
            output.flush();
        }
    }

    /** Sends better and better moves, counted from 1, and yields. */
    void search(String request, Board board) {
        long end = System.nanoTime() + THINK;
        try {
            for (int depth = 1; depth <= MAX_DEPTH; depth++) {
                int best = -1, most = 0;
                for (int move : board.moves()) {
                    int worth = board.valueOfMove(move, depth, end);
                    if (best < 0 || worth > most) {
                        best = move;
                        most = worth;
                    }
                }
                if (!open.contains(request)) return;
                send("@" + request + " move " + (best + 1));
            }
        } catch (TimeOver over) {
            // The last move counts.
        }
        send("@" + request + " yield");
    }

    void run(BufferedReader input) throws IOException {
        Map<String, String> environment = System.getenv();
        Pattern form = Pattern.compile("(\\d+)?(?:@(\\d+))? ?(\\w+) ?(.*)");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Matcher match = form.matcher(line.strip());
            if (!match.matches()) continue;
            String number = match.group(1), reference = match.group(2), rest = match.group(4);
            switch (match.group(3)) {
                case "kgp" -> {
                    if (environment.containsKey("TOKEN")) send("set auth:token \"" + environment.get("TOKEN") + "\"");
                    send("set info:name \"" + environment.getOrDefault("NAME", "Java starter") + "\"");
                    send("mode freeplay");
                }
                case "ping" -> send("@" + number + " pong");
                case "state" -> {
                    open.add(number);
                    Board board = Board.parse(rest);
                    Thread thread = new Thread(() -> search(number, board));
                    thread.setDaemon(true);
                    thread.start();
                }
                case "stop" -> open.remove(reference == null ? "" : reference);
                case "error" -> System.err.println("server: " + rest);
                case "goodbye" -> { return; }
                default -> { }
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> environment = System.getenv();
        String host = arguments.length > 0 ? arguments[0] : environment.getOrDefault("KGP_HOST", "localhost");
        String port = arguments.length > 1 ? arguments[1] : environment.getOrDefault("KGP_PORT", "2671");
        try (Socket socket = new Socket(host, Integer.parseInt(port))) {
            var input = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            new Agent(new PrintStream(socket.getOutputStream(), false, StandardCharsets.UTF_8)).run(input);
        }
    }
}
